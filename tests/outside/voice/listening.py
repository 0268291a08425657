class Listening:
    def __init__(self, suite):
        self.processes = []

    def run(self):
        pass
