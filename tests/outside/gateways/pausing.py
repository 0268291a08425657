"""A TCP proxy that can stop to pass anything on, as a network does that is cut in two."""
import selectors
import socket
import threading


class PausingProxy:
    def __init__(self, port):
        self.to, self.flows = port, threading.Event()
        self.flows.set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        self.flows.wait()
        try:
            server = socket.create_connection(("127.0.0.1", self.to))
            with client, server, selectors.DefaultSelector() as ready:
                ready.register(client, selectors.EVENT_READ, server)
                ready.register(server, selectors.EVENT_READ, client)
                while True:
                    for key, _ in ready.select():
                        self.flows.wait()
                        data = key.fileobj.recv(65536)
                        if not data:
                            return
                        self.flows.wait()
                        key.data.sendall(data)
        except OSError:
            """One of both has gone."""

    def pause(self):
        self.flows.clear()

    def go_on(self):
        self.flows.set()
