//! Help, completions and man pages, which come from one definition.

use crate::support::Machine;
#[cfg(not(feature = "durable"))]
use insta::assert_snapshot;

// The feature `durable` adds commands and flags.
#[cfg(not(feature = "durable"))]
#[test]
fn help_of_the_whole() {
    let said = Machine::new().haft(&["--help"]);
    assert_snapshot!(said.answer(), @r#"
    Tool calling that works with any language model, above all with small local ones

    Usage: haft [OPTIONS] [COMMAND]

    Commands:
      ask          Ask a question that a model answers with tools
      chat         Converse with a model that has tools; begins too when haft is started alone
      sessions     List, show, export and delete the conversations that are kept
      roles        List the roles of the settings, or show one
      listen       Answer spoken questions: recordings or transcripts
      serve        Give clients of Ollama, OpenAI and Anthropic reliable tool calls from a model server
      keys         Add, list and revoke the keys of the gateway's users
      demo         Show six broken replies of models, without haft and with it
      extract      Find the tool calls in the reply of a model
      classify     Classify a query and show which tools it needs
      select       Find the tools that a query needs
      stats        Show how often each model succeeded at the first try, and what recovery gained
      eval         Measure how well a model calls tools, at the first try and after recovery
      tools        List tools and run them without a model
      mcp          Configure and test MCP servers, or run haft as one
      models       List the models of all servers that answer, and what they can do
      config       Show the settings, or change the settings file
      doctor       Check the installation, and report how to fix problems
      completions  Print completions for a shell
      man          Print the man page
      help         Print this message or the help of the given subcommand(s)

    Options:
      -q, --quiet    Print no trace on stderr
      -v, --verbose  Print more on stderr: rounds, tokens, prompts, reasoning, warnings
          --trust    Trust this folder's haft.toml and .mcp.json for this run only
      -h, --help     Print help
      -V, --version  Print version

    Examples:
      haft
      haft ask --home demo "Turn on the kitchen light and tell me the time in Tokyo"
      haft ask --model ollama:qwen3:0.6b "What time is it in Lima?"
      haft doctor

    Environment:
      HAFT_MODEL         the model, such as ollama:qwen3:0.6b
      OLLAMA_HOST        where Ollama listens
      OPENAI_API_KEY     key and address of an OpenAI-compatible server
      OPENAI_BASE_URL
      ANTHROPIC_API_KEY  key for Anthropic models
      HAFT_LOG           what to log on stderr, such as debug or haft_models=debug
      HAFT_LOG_FORMAT    text, or json for one JSON object per line
      NO_COLOR           no colours

    Flags go before the environment, and that before haft.toml (here, then in the
    configuration folder); `haft config show` prints what is in force.

    Exit codes: 0 answer, 1 failure, 2 wrong usage, 3 answer cut off at the token limit,
    4 nothing found out or done, 130 interrupted.
    "#);
}

#[cfg(not(feature = "durable"))]
#[test]
fn help_of_ask() {
    assert_snapshot!(Machine::new().haft(&["ask", "--help"]).answer(), @r#"
    Ask a question that a model answers with tools

    Usage: haft ask [OPTIONS] [QUERY]...

    Arguments:
      [QUERY]...  The question; read from stdin when absent or `-`. Text piped in beside a question goes
                  with it, as data to work on

    Options:
          --json             Print one JSON object instead of the answer alone
      -f, --file <FILE>      A text file for the model, up to 1 MiB; may be repeated
          --continue[=<ID>]  Continue the latest conversation, or the one with this id
          --role <NAME>      Answer in this role of the settings, see `haft roles`
          --image <FILE>     A picture for the model (png, jpeg, gif or webp); may be repeated
          --schema <FILE>    JSON Schema that the final answer must follow
      -q, --quiet            Print no trace on stderr
      -v, --verbose          Print more on stderr: rounds, tokens, prompts, reasoning, warnings
          --trust            Trust this folder's haft.toml and .mcp.json for this run only
      -h, --help             Print help

    Model:
      -m, --model <MODEL>         ollama:NAME, openai:NAME[@BASE_URL], anthropic:NAME, local:FILE,
                                  builtin or replay:FILE; without it a local model is chosen [env:
                                  HAFT_MODEL]
          --temperature <NUMBER>  The sampling temperature, from 0 to 2
          --system <TEXT>         The system prompt
          --tool-mode <MODE>      How tools are passed to the model: native, text (for models without
                                  tools) or auto
          --format <NAME>         The format in which the model writes calls into its text, if it is not
                                  detected
          --bare-calls <WHEN>     Whether calls in the text without a marker count: always, never, or
                                  judged by the words around them [default: judged]
          --route[=<WHEN>]        Whether the local command engine reads a question before the model:
                                  auto (for very small models), always or never; without a value, always
          --timeout <TIME>        How long the whole question may take: seconds, or like 30s or 2m
          --max-rounds <N>        The maximum number of rounds; the last one gets no tools [default: 10]
          --without <STEP>        Leave out a recovery step, such as without_tools; several with commas
          --record <FILE>         Record the traffic with the model server, for `--model replay:FILE`

    Tools:
          --home <HOME>     The smart-home backend: `demo` (simulated), `demo:FILE` to keep its state in
                            a file, or a Z-Wave JS server such as ws://127.0.0.1:3000
          --mcp <FILE>      A file with MCP servers; without it `.mcp.json` in the current folder, if
                            there
          --tool <NAME>     Only these tools, separated by commas
          --approve <WHEN>  Which calls need your approval: never, destructive or always; without a
                            terminal they are refused [default: destructive]
          --all-tools       Offer every tool, whatever the question
          --search-tools    Offer the tool search_tools, with which a capable model finds tools that are
                            not offered
          --no-tools        Offer no tools
          --web-search      Add the tool search_web, and search the web when the model does not know
          --no-web-search   Never answer with a web search instead of the model

    Examples:
      haft ask "What time is it in Tokyo?"
      haft ask --home demo "Dim the bedroom lamp to 30 percent"
      haft ask --home demo --approve always "Lock the front door"
      haft ask --model ollama:qwen3:0.6b --mcp servers.json "What is on my calendar?"
      haft ask --model openai:gpt-5 --image receipt.jpg --schema receipt.schema.json "Read this"
      git diff | haft ask --model anthropic:claude-haiku-4-5 --no-tools "Review this"
      haft ask -f notes.txt -f plan.md "What is still open?"
      haft ask --continue "And in Lima?"

    Flags may follow the question, and a number may be negative; other words that begin with a
    hyphen follow --, as in: haft ask -- what does -rf mean
    A pipe is read to its end: where stdin is open and nothing comes, ask with < /dev/null.
    The answer goes to stdout, everything else to stderr.
    "#);
}

#[test]
fn help_of_every_command_has_examples() {
    for command in [
        &["ask"][..],
        &["extract"],
        &["classify"],
        &["stats"],
        &["eval"],
        &["serve"],
        &["demo"],
        &["tools", "list"],
        &["tools", "show"],
        &["tools", "call"],
        &["tools", "convert"],
        &["tools", "grammar"],
        &["mcp", "serve"],
        &["config", "show"],
        &["config", "init"],
        &["config", "set"],
        &["config", "path"],
        &["chat"],
        &["sessions", "list"],
        &["roles"],
        &["models"],
        &["doctor"],
        &["completions"],
        &["man"],
    ] {
        let said = Machine::new().haft(&[command, &["--help"]].concat());
        assert!(said.answer().contains("Example"), "{command:?}: {said:?}");
    }
}

#[test]
fn the_version_is_printed() {
    let said = Machine::new().haft(&["--version"]);
    assert_eq!(said.answer(), concat!("haft ", env!("CARGO_PKG_VERSION")));
}

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let said = Machine::new().haft(&["completions", shell]);
        for word in ["ask", "extract", "doctor", "max-rounds"] {
            assert!(said.answer().contains(word), "{shell} does not know {word}");
        }
    }
    Machine::new()
        .haft(&["completions", "tcsh"])
        .fails(2, &["invalid value 'tcsh'"]);
}

#[test]
fn man_pages_are_roff() {
    let machine = Machine::new();
    let whole = machine.haft(&["man"]);
    assert!(whole.answer().contains(".TH haft 1") && whole.answer().contains("ask"));
    let one = machine.haft(&["man", "tools", "call"]);
    assert!(
        one.answer().contains("haft\\-tools\\-call") || one.answer().contains("haft-tools-call")
    );
    machine
        .haft(&["man", "aks"])
        .fails(2, &["`haft` has no command `aks`", "did you mean `ask`?"]);
    machine.haft(&["man", "--all", "pages"]).answer();
    for page in ["haft.1", "haft-ask.1", "haft-tools-call.1"] {
        let page = std::fs::read_to_string(machine.path(&format!("pages/{page}"))).unwrap();
        assert!(page.contains(".TH haft"), "{page}");
    }
}
