#!/usr/bin/env python3
"""A microphone: silence until a file appears, then what a WAV file says, and silence after it; as raw
sound (16 kHz, mono, 16 bits) at the speed at which it is spoken.

usage: microphone.py WAV FILE
"""
import pathlib
import sys
import time
import wave

from house import RATE, resampled

CHUNK = 1024


def main():
    wav, signal = sys.argv[1], pathlib.Path(sys.argv[2])
    with wave.open(wav) as file:
        sound = resampled(file.readframes(file.getnframes()), file.getframerate())
    begun, said, at = time.monotonic(), 0, None
    while True:
        if at is None and signal.exists():
            at = 0
        chunk = b"" if at is None else sound[at:at + CHUNK * 2]
        at = at if at is None else at + len(chunk)
        sys.stdout.buffer.write(chunk.ljust(CHUNK * 2, b"\0"))
        sys.stdout.buffer.flush()
        said += CHUNK
        time.sleep(max(0, begun + said / RATE - time.monotonic()))


main()
