//! The flags of `haft serve`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueHint};
use haft::tools::ApprovalMode;

use super::values::duration;
use super::{ModelArgs, MqttArgs, StoreArgs, ToolArgs};

const EXAMPLES: &str = "\
Examples:
  haft serve
  haft serve --upstream http://127.0.0.1:8080
  haft serve --upstream http://desk:11434 --upstream http://attic:11434
  haft serve --listen 0.0.0.0:11435 --token \"$SECRET\"
  haft serve --store postgres://haft@db.example/haft
  haft serve --server-tools --home demo
  haft serve --check
  haft serve --wyoming --home ws://127.0.0.1:3000 --model ollama:qwen3:0.6b

Point a client at the address where haft listens instead of at the model server: as Ollama's
(http://127.0.0.1:11435), as OpenAI's (http://127.0.0.1:11435/v1) or as Anthropic's.
In a browser, the same address shows the requests as they run.
With --wyoming, Home Assistant is the client: there is no gateway then.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ServeArgs {
    /// The address to listen on; addresses other than loopback need --token
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:11435")]
    pub(crate) listen: SocketAddr,

    /// A model server; its API is detected (or set: ollama:URL, openai:URL, anthropic:URL);
    /// several share the load. Without it those in haft.toml, else Ollama, where it usually listens
    #[arg(long, value_name = "URL")]
    pub(crate) upstream: Vec<String>,

    /// The key that clients must send [env: HAFT_TOKEN]
    #[arg(long, value_name = "TOKEN")]
    pub(crate) token: Option<String>,

    /// The certificate chain for HTTPS, in PEM
    #[arg(long, value_name = "FILE", requires = "tls_key", value_hint = ValueHint::FilePath)]
    pub(crate) tls_cert: Option<PathBuf>,

    /// The private key of the certificate, in PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert", value_hint = ValueHint::FilePath)]
    pub(crate) tls_key: Option<PathBuf>,

    /// An origin of web pages that may use the gateway, such as https://chat.example.org; repeatable
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) allow_origin: Vec<String>,

    /// The timeout for a silent model server: seconds, or like 30s or 2m [default: 5 minutes before
    /// a reply, 2 within it]
    #[arg(long, alias = "patience", value_name = "TIME", value_parser = duration)]
    pub(crate) idle_timeout: Option<Duration>,

    /// Pass replies on unchanged: calls are extracted, but neither validated nor recovered
    #[arg(long)]
    pub(crate) no_repair: bool,

    /// Offer a model only those of a client's tools that fit the question
    #[arg(long)]
    pub(crate) select: bool,

    /// Offer models the tools of this machine too (--home, --mcp), and run them here
    #[arg(long)]
    pub(crate) server_tools: bool,

    /// Run as a conversation agent for Home Assistant instead, over the Wyoming protocol, which has
    /// no authentication [default: 127.0.0.1:10400]
    #[arg(
        long,
        value_name = "ADDRESS",
        num_args = 0..=1,
        default_missing_value = "127.0.0.1:10400",
        conflicts_with_all = [
            "listen", "upstream", "token", "idle_timeout", "no_repair", "select", "server_tools",
            "admin", "check", "tls_cert", "tls_key", "allow_origin",
        ],
    )]
    pub(crate) wyoming: Option<SocketAddr>,

    /// Do not announce the server to Home Assistant by zeroconf
    #[arg(long, requires = "wyoming")]
    pub(crate) no_announce: bool,

    /// Where keys, usage and limits are, which all gateways with the same store share, and the
    /// durable runs that clients begin, watch and decide, and that `haft work` answers.
    #[command(flatten)]
    pub(crate) store: StoreArgs,

    #[command(flatten)]
    pub(crate) mqtt: MqttArgs,

    #[command(flatten)]
    pub(crate) model: ModelArgs,

    /// Which of these calls are refused, as approval is not possible: never (none), destructive
    /// or always [default: destructive]
    #[arg(long, value_name = "WHEN")]
    pub(crate) approve: Option<ApprovalMode>,

    #[command(flatten)]
    pub(crate) tools: ToolArgs,

    /// Let clients pull, push, create, copy and delete models
    #[arg(long)]
    pub(crate) admin: bool,

    /// Check the configuration and the model servers, then exit
    #[arg(long)]
    pub(crate) check: bool,
}
