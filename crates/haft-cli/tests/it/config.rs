//! `haft config show`: flags override the environment, which overrides the file, which overrides
//! defaults.

use crate::support::Machine;
use insta::assert_snapshot;
use serde_json::{Value, json};

/// Value and source of one setting.
fn setting(machine: &Machine, name: &str, flags: &[&str]) -> (Value, String) {
    let shown = machine
        .haft(&[&["config", "show", "--json"], flags].concat())
        .json();
    let rows = shown["settings"].as_array().unwrap();
    let row = rows.iter().find(|row| row["name"] == name).unwrap();
    (
        row["value"].clone(),
        row["source"].as_str().unwrap().to_owned(),
    )
}

#[test]
fn the_defaults_are_shown_as_such() {
    let machine = Machine::new().with("OLLAMA_HOST", "");
    assert_snapshot!(machine.haft(&["config", "show"]).answer(), @r#"
    model.name                 -                                               default
    model.temperature          -                                               default
    model.system               -                                               default
    model.tool_mode            auto                                            default
    model.format               auto                                            default
    model.route                auto                                            default
    model.timeout              -                                               default
    model.context              -                                               default
    model.ollama_host          http://127.0.0.1:11434                          default
    model.openai_base_url      -                                               default
    tools.mcp                  -                                               default
    tools.timeout              30.0                                            default
    tools.max_output           16000                                           default
    tools.synonyms             -                                               default
    tools.bare_calls           judged                                          default
    tools.thought_calls        false                                           default
    tools.approve              destructive                                     default
    tool_groups.enabled        true                                            default
    tool_groups.search_tools   false                                           default
    tool_groups                ["volume","device","datetime","web","browser"]  default
    recovery.repeated_text     true                                            default
    recovery.constrained_call  true                                            default
    recovery.raise_max_tokens  true                                            default
    recovery.thinking_only     true                                            default
    recovery.without_tools     true                                            default
    recovery.invalid_calls     true                                            default
    recovery.repeated_calls    true                                            default
    recovery.round_limit       true                                            default
    recovery.ungrounded_answer true                                            default
    web_search.enabled         -                                               default
    web_search.playwright      -                                               default
    web_search.url             https://html.duckduckgo.com/html/?q={query}     default
    web_search.timeout         10.0                                            default
    GOOGLE_API_KEY             -                                               default
    GOOGLE_CSE_ID              -                                               default
    upstream                   -                                               default
    store.attempts             true                                            default
    store.sessions             true                                            default
    role                       -                                               default
    gateway                    -                                               default
    mqtt.broker                -                                               default
    mqtt.transcription_topic   -                                               default
    mqtt.answer_topic          -                                               default
    HAFT_MQTT_PASSWORD         -                                               default
    voice.transcriber          -                                               default
    voice.transcriber_model    whisper-1                                       default
    voice.transcriber_key_env  -                                               default
    voice.language             -                                               default
    voice.speech               -                                               default
    voice.play                 -                                               default
    voice.satellite            -                                               default
    voice.wake                 -                                               default
    voice.local_commands       true                                            default
    voice.interrupt            false                                           default
    voice.reset_after          120.0                                           default
    voice.announce             true                                            default
    ANTHROPIC_BASE_URL         -                                               default
    OLLAMA_API_KEY             -                                               default
    OPENAI_API_KEY             -                                               default
    ANTHROPIC_API_KEY          -                                               default
    HAFT_TOKEN                 -                                               default
    HAFT_LOG                   -                                               default
    NO_COLOR                   -                                               default
    "#);
}

#[test]
fn flags_beat_environment_beats_file_beats_default() {
    let machine = Machine::new();
    let value = |machine: &Machine, flags: &[&str]| setting(machine, "model.name", flags);
    assert_eq!(value(&machine, &[]), (Value::Null, "default".to_owned()));
    let configured = machine.write("config/haft/haft.toml", "[model]\nname = \"builtin\"\n");
    let source = configured.display().to_string();
    assert_eq!(value(&machine, &[]), (json!("builtin"), source));
    machine.write("haft.toml", "[model]\nname = \"ollama:near\"\n");
    assert_eq!(
        value(&machine, &[]),
        (json!("ollama:near"), "haft.toml".to_owned())
    );
    let machine = machine.with("HAFT_MODEL", "ollama:env");
    assert_eq!(
        value(&machine, &[]),
        (json!("ollama:env"), "HAFT_MODEL".to_owned())
    );
    let flag = ["--model", "ollama:flag"];
    assert_eq!(
        value(&machine, &flag),
        (json!("ollama:flag"), "--model".to_owned())
    );
    let blank = machine.with("HAFT_MODEL", " ");
    assert_eq!(
        value(&blank, &[]),
        (json!("ollama:near"), "haft.toml".to_owned())
    );
}

#[test]
fn every_key_of_the_file_is_in_force() {
    let machine = Machine::new().with("OLLAMA_HOST", "");
    machine.write(
        "haft.toml",
        r#"
        [model]
        temperature = 0.5
        system = "Be brief."
        tool_mode = "text"
        format = "hermes"
        timeout = "2m"
        context = 8192
        ollama_host = "me:secret@10.0.0.1:11434"
        openai_base_url = "http://127.0.0.1:8080/v1"
        [tools]
        mcp = "servers.json"
        timeout = 5
        max_output = 500
        synonyms = [{ tool = "weather", given = "town", parameter = "city" }]
        bare_calls = "never"
        [recovery]
        round_limit = true
        repeated_calls = false
        [store]
        attempts = false
        "#,
    );
    for (name, value) in [
        ("model.temperature", json!(0.5)),
        ("model.system", json!("Be brief.")),
        ("model.tool_mode", json!("text")),
        ("model.format", json!("hermes")),
        ("model.timeout", json!(120.0)),
        ("model.context", json!(8192)),
        ("model.ollama_host", json!("[hidden]@10.0.0.1:11434")),
        ("model.openai_base_url", json!("http://127.0.0.1:8080/v1")),
        ("tools.mcp", json!("servers.json")),
        ("tools.timeout", json!(5.0)),
        ("tools.max_output", json!(500)),
        ("tools.synonyms", json!(["weather: town = city"])),
        ("tools.bare_calls", json!("never")),
        ("recovery.round_limit", json!(true)),
        ("recovery.repeated_calls", json!(false)),
        ("store.attempts", json!(false)),
    ] {
        let wanted = (value, "haft.toml".to_owned());
        assert_eq!(setting(&machine, name, &["--trust"]), wanted, "{name}");
    }
    let flags = [
        "--trust",
        "--temperature",
        "1",
        "--system",
        "Hi",
        "--tool-mode",
        "native",
        "--format",
        "mistral",
        "--bare-calls=always",
        "--route",
        "--timeout",
        "3",
        "--mcp",
        "other.json",
    ];
    for (name, value, flag) in [
        ("model.temperature", json!(1.0), "--temperature"),
        ("model.system", json!("Hi"), "--system"),
        ("model.tool_mode", json!("native"), "--tool-mode"),
        ("model.format", json!("mistral"), "--format"),
        ("model.route", json!("always"), "--route"),
        ("model.timeout", json!(3.0), "--timeout"),
        ("tools.bare_calls", json!("always"), "--bare-calls"),
        ("tools.mcp", json!("other.json"), "--mcp"),
    ] {
        assert_eq!(
            setting(&machine, name, &flags),
            (value, flag.to_owned()),
            "{name}"
        );
    }
}

#[test]
fn secrets_are_only_said_to_be_set() {
    let machine = Machine::new()
        .with("OPENAI_API_KEY", "sk-one")
        .with("ANTHROPIC_API_KEY", "sk-two")
        .with("OLLAMA_API_KEY", "sk-three");
    for arguments in [&["config", "show"][..], &["config", "show", "--json"]] {
        let said = machine.haft(arguments);
        assert!(!said.answer().contains("sk-"), "{said:?}");
    }
    let key = setting(&machine, "ANTHROPIC_API_KEY", &[]);
    assert_eq!(key, (json!("set"), "ANTHROPIC_API_KEY".to_owned()));
}

#[test]
fn a_key_among_the_arguments_of_a_command_is_hidden() {
    let machine = Machine::new();
    machine.write(
        "haft.toml",
        "[voice]\nspeech = \"say --token t0psecret\"\nplay = \"play --key=t0psecret\"\n\
         transcriber = \"hear --password t0psecret\"\n",
    );
    let (speech, _) = setting(&machine, "voice.speech", &["--trust"]);
    assert_eq!(speech, json!("say --token [hidden]"));
    for arguments in [
        &["config", "show", "--trust"][..],
        &["listen", "--trust", "--text", "--model", "builtin"],
        &["config", "show"],
    ] {
        let said = machine.haft(arguments);
        assert!(
            !said.stdout.contains("t0psecret") && !said.stderr.contains("t0psecret"),
            "{said:?}"
        );
    }
}

#[test]
fn a_bad_file_is_an_error_for_every_command_that_reads_it() {
    let machine = Machine::new();
    machine.write("haft.toml", "[model]\ntemprature = 1\n");
    for arguments in [
        &["ask", "Time?"][..],
        &["config", "show"],
        &["tools", "list"],
        &["doctor"],
    ] {
        let parts = [
            "error: haft.toml, line 2: there is no setting `temprature`",
            "did you mean `temperature`?",
        ];
        machine.haft(arguments).fails(1, &parts);
    }
    machine.write("haft.toml", "[model\n");
    machine
        .haft(&["config", "show"])
        .fails(1, &["error: haft.toml, line 1: "]);
}

#[test]
fn a_settings_file_is_written_and_never_replaced_by_accident() {
    let machine = Machine::new();
    let path = machine.path("config/haft/haft.toml");
    assert_eq!(
        machine.haft(&["config", "path"]).answer(),
        path.display().to_string()
    );
    machine.haft(&["config", "init"]).answer();
    // The explained file sets nothing.
    let rows = machine.haft(&["config", "show", "--json"]).json();
    let file = path.display().to_string();
    let settings = rows["settings"].as_array().unwrap();
    assert!(
        settings.iter().all(|row| row["source"] != file.as_str()),
        "{rows}"
    );
    machine
        .haft(&["config", "set", "model.temperature", "0.5"])
        .answer();
    let again = machine.haft(&["config", "init"]);
    again.fails(1, &["is there already", "hint: --force replaces it"]);
    assert!(
        std::fs::read_to_string(&path)
            .unwrap()
            .contains("temperature = 0.5")
    );
    machine.haft(&["config", "init", "--force"]).answer();
    assert!(
        !std::fs::read_to_string(&path)
            .unwrap()
            .contains("temperature = 0.5")
    );
}

#[test]
fn every_line_of_the_explained_file_is_a_setting() {
    let machine = Machine::new();
    machine.haft(&["config", "init"]).answer();
    let path = machine.path("config/haft/haft.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    let lines = text.lines().map(|line| match line.strip_prefix("# ") {
        Some(rest) if rest.contains(" = ") || rest.starts_with("[[") => rest,
        _ => line,
    });
    std::fs::write(&path, lines.collect::<Vec<_>>().join("\n")).unwrap();
    let rows = machine.haft(&["config", "show", "--json"]).json();
    let settings = rows["settings"].as_array().unwrap();
    let from_file = settings
        .iter()
        .filter(|row| row["source"] == path.display().to_string());
    assert!(from_file.count() >= 14, "{rows}");
}

#[test]
fn one_setting_is_changed_and_comments_stay() {
    let machine = Machine::new();
    let path = machine.write(
        "config/haft/haft.toml",
        "# mine\n[model]\nname = \"builtin\" # for now\n\n[tools]\ntimeout = 5\n",
    );
    for (key, value) in [
        ("model.name", "ollama:qwen3:0.6b"),
        ("tools.timeout", "2m"),
        ("store.sessions", "false"),
    ] {
        machine.haft(&["config", "set", key, value]).answer();
    }
    let expected = "# mine\n[model]\nname = \"ollama:qwen3:0.6b\" # for now\n\n[tools]\n\
        timeout = \"2m\"\n\n[store]\nsessions = false\n";
    assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
    for (key, value, parts) in [
        (
            "model.nme",
            "x",
            ["no setting `nme`", "did you mean `name`?"],
        ),
        (
            "model.temperature",
            "-1",
            ["a temperature goes from 0 to 2", "haft.toml"],
        ),
        (
            "model",
            "x",
            ["\"model\" is not the name of a setting", "like model.name"],
        ),
    ] {
        machine
            .haft(&["config", "set", key, value])
            .fails(2, &parts);
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
    machine
        .haft(&["config", "set", "--here", "tools.approve", "always"])
        .answer();
    let rows = machine.haft(&["config", "show"]);
    let line = rows
        .answer()
        .lines()
        .find(|line| line.starts_with("tools.approve"))
        .unwrap();
    assert!(
        line.contains("always") && line.ends_with("haft.toml"),
        "{line}"
    );
}
