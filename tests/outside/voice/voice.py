#!/usr/bin/env python3
"""A Wyoming server around espeak-ng that has the streaming form, or not; it prints what it spoke.

usage: voice.py PORT whole|streaming
"""
import asyncio
import io
import subprocess
import sys
import wave

from wyoming.audio import wav_to_chunks
from wyoming.info import Attribution, Describe, Info, TtsProgram, TtsVoice
from wyoming.server import AsyncEventHandler, AsyncServer
from wyoming.tts import Synthesize, SynthesizeChunk, SynthesizeStart, SynthesizeStop, SynthesizeStopped

streaming = sys.argv[2] == "streaming"
COMMON = {"attribution": Attribution(name="espeak-ng", url="https://github.com/espeak-ng/espeak-ng"),
    "installed": True, "version": "1", "description": None}
INFO = Info(tts=[TtsProgram(name="espeak-ng", **COMMON, supports_synthesize_streaming=streaming,
    voices=[TtsVoice(name="en-us", **COMMON, languages=["en"])])])


class Handler(AsyncEventHandler):
    def __init__(self, reader, writer):
        super().__init__(reader, writer)
        self.pieces = None

    async def handle_event(self, event):
        if Describe.is_type(event.type):
            await self.write_event(INFO.event())
        elif Synthesize.is_type(event.type) and self.pieces is None:
            await self.speak(Synthesize.from_event(event).text)
        elif streaming and SynthesizeStart.is_type(event.type):
            self.pieces = ""
        elif streaming and SynthesizeChunk.is_type(event.type):
            self.pieces += SynthesizeChunk.from_event(event).text
        elif streaming and SynthesizeStop.is_type(event.type):
            await self.speak(self.pieces)
            self.pieces = None
            await self.write_event(SynthesizeStopped().event())
        return True

    async def speak(self, text):
        done = subprocess.run(["espeak-ng", "-v", "en-us", "--stdout", text], capture_output=True, check=True)
        with wave.open(io.BytesIO(done.stdout)) as sound:
            for piece in wav_to_chunks(sound, 1024, start_event=True, stop_event=True):
                await self.write_event(piece.event())


asyncio.run(AsyncServer.from_uri(f"tcp://127.0.0.1:{sys.argv[1]}").run(Handler))
