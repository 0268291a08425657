//! The command line of `haft listen`.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use haft::tools::ApprovalMode;
use haft::voice::wyoming::WyomingAddress;

use super::{ModelArgs, MqttArgs, ToolArgs};

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ListenArgs {
    /// WAV files, one utterance each, or folders of them
    #[arg(value_name = "WAV", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,

    /// Read transcripts from stdin, one utterance per line
    #[arg(long, conflicts_with = "paths")]
    pub(crate) text: bool,

    /// Listen and speak through a Wyoming satellite, until stopped
    #[arg(long, value_name = "HOST:PORT", conflicts_with_all = ["paths", "text"])]
    pub(crate) satellite: Option<WyomingAddress>,

    /// Print one JSON object for each utterance instead of the answer alone
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) voice: VoiceArgs,

    #[command(flatten)]
    pub(crate) mqtt: MqttArgs,

    #[command(flatten)]
    pub(crate) model: ModelArgs,

    #[command(flatten)]
    pub(crate) tools: ToolArgs,

    /// Which calls need your approval: never, destructive or always; without a terminal they
    /// are refused [default: destructive]
    #[arg(long, value_name = "WHEN", help_heading = "Tools")]
    pub(crate) approve: Option<ApprovalMode>,
}

/// The flags for speech-to-text and text-to-speech.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Voice")]
pub(crate) struct VoiceArgs {
    /// Speech-to-text: a command such as "whisper-cli -nt -m model.bin {file}", or
    /// the address of an OpenAI-compatible server such as http://127.0.0.1:8000/v1, or of a
    /// Wyoming server such as tcp://127.0.0.1:10300
    #[arg(long, value_name = "COMMAND|URL")]
    pub(crate) transcriber: Option<String>,

    /// Text-to-speech: a command that gets a sentence on stdin, such as
    /// "espeak-ng --stdin", or a Wyoming server such as tcp://127.0.0.1:10200
    #[arg(long, value_name = "COMMAND|URL")]
    pub(crate) speech: Option<String>,

    /// The player for the speech of a Wyoming server: a command that gets a WAV file on stdin for each
    /// sentence, such as "aplay -q"
    #[arg(long, value_name = "COMMAND")]
    pub(crate) play: Option<String>,

    /// Answer only utterances that begin with this phrase, such as "hey haft"
    #[arg(long, value_name = "PHRASE")]
    pub(crate) wake: Option<String>,

    /// Send plain commands to the model too, instead of executing them directly
    #[arg(long)]
    pub(crate) no_local_commands: bool,

    /// Let a new utterance cancel the answer before it
    #[arg(long)]
    pub(crate) interrupt: bool,
}

const EXAMPLES: &str = "\
Examples:
  haft listen --home demo --transcriber \"whisper-cli -nt -m ggml-base.en.bin\" kitchen.wav
  haft listen --transcriber http://127.0.0.1:8000/v1 --speech \"espeak-ng --stdin\" recordings/
  haft listen --satellite 192.168.1.31:10700 --transcriber tcp://127.0.0.1:10300 --speech tcp://127.0.0.1:10200
  haft listen --text --home demo --wake \"hey haft\" < transcript.txt

The answers go to stdout, everything else to stderr.";
