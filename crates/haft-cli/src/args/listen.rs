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

    /// Take what was said from stdin, a line each, as somebody else wrote it down
    #[arg(long, conflicts_with = "paths")]
    pub(crate) text: bool,

    /// Listen to a Wyoming satellite, and speak there, until this is ended
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

    /// Which calls you are asked about before they run: never, destructive or always; where
    /// there is no terminal they are refused [default: destructive]
    #[arg(long, value_name = "WHEN", help_heading = "Tools")]
    pub(crate) approve: Option<ApprovalMode>,
}

/// Who hears and who speaks.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Voice")]
pub(crate) struct VoiceArgs {
    /// Who writes down what is said: a command such as "whisper-cli -nt -m model.bin {file}", or
    /// the address of an OpenAI-compatible server such as http://127.0.0.1:8000/v1, or of a
    /// Wyoming server such as tcp://127.0.0.1:10300
    #[arg(long, value_name = "COMMAND|URL")]
    pub(crate) transcriber: Option<String>,

    /// Who speaks the answers: a command that gets a sentence on stdin, such as
    /// "espeak-ng --stdin", or a Wyoming server such as tcp://127.0.0.1:10200
    #[arg(long, value_name = "COMMAND|URL")]
    pub(crate) speech: Option<String>,

    /// What plays the sound of a Wyoming server: a command that gets a WAV file on stdin for each
    /// sentence, such as "aplay -q"
    #[arg(long, value_name = "COMMAND")]
    pub(crate) play: Option<String>,

    /// Answer only what begins with this phrase, such as "hey haft"
    #[arg(long, value_name = "PHRASE")]
    pub(crate) wake: Option<String>,

    /// Give plain commands to the model too, instead of carrying them out at once
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
