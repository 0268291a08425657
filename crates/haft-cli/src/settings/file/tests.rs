use super::*;

fn refused(text: &str) -> (String, String) {
    let failure = parse(text, "haft.toml").unwrap_err();
    (failure.message, failure.hint.unwrap_or_default())
}

#[test]
fn every_known_key_is_read() {
    let file = parse(
        r#"
        [model]
        name = "ollama:qwen3:0.6b"
        temperature = 0
        system = "Be brief."
        timeout = "2m"
        context = 8192
        ollama_host = "127.0.0.1:1"
        openai_base_url = "http://127.0.0.1:2/v1"

        [tools]
        mcp = "servers.json"
        timeout = 1.5
        max_output = 4000
        synonyms = [{ tool = "weather", given = "town", parameter = "city" }]

        [tool_groups]
        enabled = true
        search_tools = true
        presets = ["zwave"]
        [tool_groups.custom.music]
        intents = ["action"]
        words = ["Play"]
        tools = ["spotify_*"]
        servers = ["radio"]

        [recovery]
        without_tools = false

        [web_search]
        enabled = true
        playwright = "browser"
        url = "http://localhost:8888/search?q={query}"
        timeout = 5

        [[upstream]]
        url = "http://desk:11434"
        name = "desk"
        models = ["qwen3:*"]
        max_in_flight = 2
        [upstream.aliases]
        "gpt-4o" = "qwen3:8b"
        [[upstream]]
        url = "anthropic:https://api.anthropic.com"
        key_env = "ANTHROPIC_API_KEY"
        fallback = true
        "#,
        "haft.toml",
    )
    .unwrap();
    assert_eq!(file.model.name.as_deref(), Some("ollama:qwen3:0.6b"));
    assert_eq!(file.model.temperature, Some(0.0));
    assert_eq!(file.model.timeout, Some(Duration::from_secs(120)));
    assert_eq!(file.model.context, Some(8192));
    assert_eq!(file.recovery.get(&RecoveryStep::WithoutTools), Some(&false));
    assert_eq!(
        (file.tool_groups.enabled, file.tool_groups.search_tools),
        (Some(true), Some(true))
    );
    let tool_groups = file.tool_groups.tool_groups.unwrap();
    let names: Vec<_> = tool_groups
        .as_slice()
        .iter()
        .map(|tool_group| &tool_group.name)
        .collect();
    assert_eq!(names, ["music", "device"]);
    assert_eq!(tool_groups.as_slice()[0].words, ["play"]);
    assert_eq!(file.model.ollama_host.as_deref(), Some("127.0.0.1:1"));
    assert_eq!(file.tools.timeout, Some(Duration::from_millis(1500)));
    assert_eq!(file.tools.max_output, Some(4000));
    assert_eq!(file.web_search.enabled, Some(true));
    assert_eq!(file.web_search.timeout, Some(Duration::from_secs(5)));
    assert!(file.web_search.url.is_some() && file.web_search.playwright.is_some());
    let upstreams = file.upstream.unwrap();
    assert_eq!(upstreams.len(), 2);
    let desk = &upstreams[0];
    assert_eq!(
        (desk.name.as_deref(), desk.max_in_flight),
        (Some("desk"), Some(2))
    );
    assert_eq!(desk.aliases["gpt-4o"], "qwen3:8b");
    assert!(!desk.fallback && upstreams[1].fallback);
    assert_eq!(file.tools.synonyms.unwrap()[0].parameter, "city");
}

#[test]
fn the_table_of_keys_and_the_types_agree() {
    for (section, keys) in KNOWN {
        for key in keys {
            // No key accepts a date, or a part of one, so a known key reports a wrong type and not
            // an unknown name.
            // Where a key is a table with fixed keys, a date is read as one, and a number is not.
            let (heading, value) = match (section, *key) {
                ("upstream" | "role", _) => (format!("[[{section}]]"), "0.5"),
                (_, "limits") => (format!("[{section}]"), "0.5"),
                _ => (format!("[{section}]"), "1979-05-27"),
            };
            let (message, _) = refused(&format!("{heading}\n{key} = {value}\n"));
            assert!(!message.contains("unknown field"), "{message}");
            assert!(message.starts_with("haft.toml, line 2: "), "{message}");
        }
    }
}

#[test]
fn an_invalid_tool_group_is_refused() {
    let (message, _) = refused("[tool_groups]\npresets = [\"zwaves\"]\n");
    assert!(
        message.ends_with("no preset `zwaves`; did you mean `zwave`?"),
        "{message}"
    );
    let (message, _) = refused("[tool_groups.custom.a]\nintents = [\"devise\"]\ntools = [\"a\"]\n");
    assert!(
        message.ends_with("no intent `devise`; did you mean `device`?"),
        "{message}"
    );
    let (message, _) = refused("[tool_groups.custom.a]\nintents = [\"device\"]\n");
    assert!(
        message.ends_with("needs `intents`, and `tools` or `servers`"),
        "{message}"
    );
}

#[test]
fn an_unknown_key_is_named_with_its_line_and_the_nearest_known_one() {
    let (message, hint) = refused("[model]\nname = \"builtin\"\ntemprature = 1\n");
    assert_eq!(
        message,
        "haft.toml, line 3: there is no setting `temprature`"
    );
    assert_eq!(hint, "did you mean `temperature`?");
    let (message, hint) = refused("\n[modle]\n");
    assert_eq!(message, "haft.toml, line 2: there is no section `modle`");
    assert_eq!(hint, "did you mean `model`?");
    let (_, hint) = refused("[zzz]\n");
    assert_eq!(
        hint,
        "there are: model, tools, tool_groups, recovery, web_search, store, role, upstream, gateway, mqtt, voice"
    );
    let (message, hint) = refused("[[upstream]]\nurl = \"u\"\n[[upstream]]\nkeyenv = \"K\"\n");
    assert_eq!(message, "haft.toml, line 4: there is no setting `keyenv`");
    assert_eq!(hint, "did you mean `key_env`?");
    let (message, _) = refused("[[upstream]]\nurl = \"u\"\nmax_in_flight = 0\n");
    assert!(message.starts_with("haft.toml, line 3: "), "{message}");
}

#[test]
fn a_wrong_value_is_named_with_its_line() {
    for (line, complaint) in [
        ("temperature = 3", "from 0 to 2"),
        ("tool_mode = \"yes\"", "`auto`, `native` and `text`"),
        ("timeout = \"soon\"", "write seconds"),
        ("context = 100", "from 512 to 10000000 tokens"),
        ("timeout = 0", "from 1 ms to 24 h"),
        ("name = 5", "expected a string"),
        ("name = ", "line 2"),
    ] {
        let (message, _) = refused(&format!("[model]\n{line}\n"));
        assert!(message.starts_with("haft.toml, line 2: "), "{message}");
        assert!(message.contains(complaint), "{message}");
    }
}

#[test]
fn a_wrong_word_for_bare_calls_is_refused_with_the_words_that_there_are() {
    let (message, _) = refused("[tools]\nbare_calls = \"sometimes\"\n");
    assert!(message.starts_with("haft.toml, line 2: "), "{message}");
    assert!(message.contains("always, judged or never"), "{message}");
}

#[test]
fn a_section_must_be_a_table() {
    let (message, _) = refused("model = 1\n");
    assert!(message.starts_with("haft.toml, line 1: "), "{message}");
}

#[test]
fn every_recovery_step_has_its_key() {
    let (_, keys) = KNOWN.iter().find(|(name, _)| *name == "recovery").unwrap();
    assert_eq!(*keys, RecoveryStep::ALL.map(RecoveryStep::name));
}

#[test]
fn settings_are_read_under_their_old_names() {
    let text = "[tiers]\nenabled = false\n[recovery]\nmore_room = false\n";
    let file = parse(text, "haft.toml").unwrap();
    assert_eq!(file.tool_groups.enabled, Some(false));
    assert!(!file.recovery[&RecoveryStep::RaiseMaxTokens]);
    assert_eq!(
        renamed::found(text),
        [
            "`[tiers]` was renamed to `[tool_groups]`",
            "`more_room` was renamed to `raise_max_tokens`"
        ]
    );
    let (message, _) = refused("[tiers]\npreset = []\n");
    assert!(
        message.contains("there is no setting `preset`"),
        "{message}"
    );
}
