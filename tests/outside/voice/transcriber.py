#!/usr/bin/env python3
"""A Wyoming server around pocketsphinx with the English model of its package.

The model is small and the voice a machine's, so speech-to-text is given a grammar of what is said
in this house, as small models in homes are. With FAULTS, each connection misbehaves in the
next way of that list, and those behind the list do not: hang, die, half, error, nonsense.

usage: transcriber.py PORT [FAULT...]
"""
import asyncio
import sys

from pocketsphinx import Decoder
from wyoming.asr import Transcript, TranscriptChunk, TranscriptStart, TranscriptStop
from wyoming.audio import AudioChunk, AudioChunkConverter, AudioStop
from wyoming.error import Error
from wyoming.info import AsrModel, AsrProgram, Attribution, Describe, Info
from wyoming.server import AsyncEventHandler, AsyncServer

GRAMMAR = """#JSGF V1.0;
grammar house;
public <command> = turn (on | off) the <thing> | dim the <thing> to <number> percent | what time is it;
<thing> = kitchen light | bedroom lamp | garage light;
<number> = ten | twenty | thirty | forty | fifty | sixty | seventy | eighty | ninety;
"""
BY = Attribution(name="CMU", url="https://cmusphinx.github.io")
COMMON = {"attribution": BY, "installed": True, "version": "5", "description": None}
INFO = Info(asr=[AsrProgram(name="pocketsphinx", **COMMON, supports_transcript_streaming=True,
    models=[AsrModel(name="en-us", **COMMON, languages=["en"])])])

decoder = Decoder(lm=None, loglevel="FATAL")
decoder.add_jsgf_string("house", GRAMMAR)
decoder.activate_search("house")
faults = sys.argv[2:]


class Handler(AsyncEventHandler):
    def __init__(self, reader, writer):
        super().__init__(reader, writer)
        self.audio, self.converter = b"", AudioChunkConverter(rate=16000, width=2, channels=1)

    async def handle_event(self, event):
        if Describe.is_type(event.type):
            await self.write_event(INFO.event())
        elif AudioChunk.is_type(event.type):
            self.audio += self.converter.convert(AudioChunk.from_event(event)).audio
        elif AudioStop.is_type(event.type):
            if faults:
                return await self.fail(faults.pop(0))
            decoder.start_utt()
            decoder.process_raw(self.audio, full_utt=True)
            decoder.end_utt()
            text = decoder.hyp().hypstr if decoder.hyp() else ""
            for reply in (TranscriptStart(), TranscriptChunk(text=text), Transcript(text=text), TranscriptStop()):
                await self.write_event(reply.event())
            return False
        return True

    async def fail(self, fault):
        if fault == "hang":
            await asyncio.sleep(3600)
        elif fault == "half":
            self.writer.write(b'{"type": "transcript", "data_length": 40}\n{"text": "turn')
            await self.writer.drain()
        elif fault == "nonsense":
            self.writer.write(b"HTTP/1.1 500 Internal Server Error\r\n\r\n")
            await self.writer.drain()
        elif fault == "error":
            await self.write_event(Error(text="out of memory").event())
        return False


asyncio.run(AsyncServer.from_uri(f"tcp://127.0.0.1:{sys.argv[1]}").run(Handler))
