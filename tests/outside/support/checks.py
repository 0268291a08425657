"""What a suite says of each check, and how it waits."""
import time


class Checks:
    def __init__(self):
        self.failed = 0

    def say(self, is_right, text):
        self.failed += not is_right
        print(f"  {'ok    ' if is_right else 'FAILED'} {text}", flush=True)

    def near(self, what, seen, due, share=0.05):
        self.say(abs(seen - due) <= max(share * due, 1), f"{what}: {seen} of {due:.0f}")


def wait_for(what, is_so, seconds=60):
    """Returns what `is_so` returns, once that is true."""
    until = time.monotonic() + seconds
    while not (found := is_so()):
        if time.monotonic() > until:
            raise SystemExit(f"  FAILED: not within {seconds} s: {what}")
        time.sleep(0.05)
    return found
