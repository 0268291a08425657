use super::*;
use crate::StoreErrorKind;

const TABLES: Tables = Tables {
    name: "things",
    version: 1,
    statements: &[
        "CREATE TABLE IF NOT EXISTS haft_things (name TEXT PRIMARY KEY, size DOUBLE PRECISION)",
    ],
    renamed: &[("things", "haft_things")],
};

fn address(folder: &tempfile::TempDir) -> StoreAddress {
    StoreAddress::File(folder.path().join("store.db"))
}

#[tokio::test]
async fn two_parts_of_haft_have_their_tables_in_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let other = Tables {
        name: "others",
        statements: &["CREATE TABLE haft_others (name TEXT)"],
        ..TABLES
    };
    Store::open(&address(&folder), other).await.unwrap();
    let mut store = Store::open(&address(&folder), TABLES).await.unwrap();
    let insert = "INSERT INTO haft_things (name, size) VALUES ($1, $2)";
    let values = [Value::Text("lamp"), Value::Real(1.5)];
    assert_eq!(store.run(insert, &values).await.unwrap(), 1);
    let mut again = Store::open(&address(&folder), TABLES).await.unwrap();
    let select = format!(
        "SELECT name, size, {}, {} > 1.7e9 FROM haft_things",
        again.floor("size"),
        again.now()
    );
    let rows = again.rows(&select, &[]).await.unwrap();
    assert_eq!(rows[0].text(0).unwrap(), "lamp");
    assert_eq!(rows[0].real(1).unwrap(), 1.5);
    assert_eq!(rows[0].number(2).unwrap(), 1);
    assert_eq!(rows[0].number(3).unwrap(), 1);
    assert_eq!(rows[0].number(0), None);
}

#[tokio::test]
async fn a_dropped_transaction_is_undone() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&address(&folder), TABLES).await.unwrap();
    store.begin().await.unwrap();
    let insert = "INSERT INTO haft_things (name) VALUES ('lamp')";
    store.run(insert, &[]).await.unwrap();
    drop(store);
    let mut store = Store::open(&address(&folder), TABLES).await.unwrap();
    let rows = store.rows("SELECT name FROM haft_things", &[]).await;
    assert!(rows.unwrap().is_empty());
}

#[tokio::test]
async fn tables_of_a_newer_version_are_left_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let newer = Tables {
        version: 2,
        ..TABLES
    };
    Store::open(&address(&folder), newer).await.unwrap();
    let error = Store::open(&address(&folder), TABLES).await.unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Newer);
    assert!(error.to_string().contains("store.db is of version 2"));
}

#[tokio::test]
async fn a_table_of_an_earlier_version_keeps_its_rows_under_its_new_name() {
    let folder = tempfile::tempdir().unwrap();
    let none = Tables {
        name: "none",
        statements: &[],
        ..TABLES
    };
    let mut store = Store::open(&address(&folder), none).await.unwrap();
    let old = "CREATE TABLE things (name TEXT PRIMARY KEY, size DOUBLE PRECISION)";
    store.run(old, &[]).await.unwrap();
    let insert = "INSERT INTO things (name) VALUES ('lamp')";
    store.run(insert, &[]).await.unwrap();
    let mut store = Store::open(&address(&folder), TABLES).await.unwrap();
    let rows = store.rows("SELECT name FROM haft_things", &[]).await;
    assert_eq!(rows.unwrap()[0].text(0).unwrap(), "lamp");
}

#[test]
fn an_address_names_a_file_or_a_database() {
    let parsed = |text: &str| text.parse::<StoreAddress>();
    let file = StoreAddress::File("keys.db".into());
    assert_eq!(parsed("sqlite:keys.db").unwrap(), file);
    assert_eq!(parsed("sqlite://keys.db").unwrap(), file);
    for wrong in ["", "keys.db", "sqlite:", "mysql://there"] {
        assert_eq!(parsed(wrong).unwrap_err().kind(), StoreErrorKind::Address);
    }
    let secret = format!("{:?}", parsed("postgres://haft:secret@there/haft"));
    assert!(!secret.contains("secret"), "{secret}");
}
