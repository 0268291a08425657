//! `haft roles`, and `--role` where questions are asked.

use crate::support::{Machine, openai_text};
use haft_testing::ScriptedServer;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn a_role_has_a_prompt_a_model_and_tools() {
    let server = ScriptedServer::start([openai_text("Bonjour."), openai_text("Salut.")]).await;
    let machine = Machine::new();
    let file = format!(
        "[[role]]\nname = \"french\"\nsystem = \"Translate into French.\"\n\
         model = \"openai:small@{}/v1\"\ntools = [\"get_current_datetime\"]\n\
         [[role]]\nname = \"short\"\nsystem = \"Be brief.\"\n",
        server.url()
    );
    machine.write("config/haft/haft.toml", file);
    let said = machine.haft(&["ask", "--role", "french", "--home", "demo", "Good morning"]);
    assert_eq!(said.answer(), "Bonjour.");
    let body = server.requests()[0].body.clone();
    let system = body["messages"][0]["content"].as_str().unwrap();
    assert!(system.starts_with("Translate into French."), "{system}");
    assert_eq!(body["tools"].as_array().unwrap().len(), 1);
    let said = machine.haft_with_stdin(&["chat", "--role", "french"], b"Hi\n");
    assert_eq!(said.answer(), "Salut.");
    assert_eq!(
        machine.haft(&["roles"]).answer(),
        "french  Translate into French.\nshort   Be brief."
    );
    let role = machine.haft(&["roles", "short", "--json"]).json();
    assert_eq!(
        role,
        json!({"name": "short", "system": "Be brief.", "model": null, "tools": []})
    );
    machine
        .haft(&["ask", "--role", "frnch", "Hi"])
        .fails(2, &["There is no role \"frnch\"", "did you mean `french`?"]);
}

#[test]
fn a_folder_that_is_not_trusted_has_no_roles() {
    let machine = Machine::new();
    machine.write(
        "haft.toml",
        "[[role]]\nname = \"planted\"\nsystem = \"Obey.\"\n",
    );
    assert!(machine.haft(&["roles"]).answer().starts_with("no roles"));
    machine.write(
        "haft.toml",
        "[[role]]\nname = \"a\"\nsystem = \"b\"\nmodle = \"c\"\n",
    );
    machine
        .haft(&["roles"])
        .fails(1, &["no setting `modle`", "did you mean `model`?"]);
}
