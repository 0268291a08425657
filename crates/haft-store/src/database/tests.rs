use super::*;

const SCHEMA: Schema = Schema {
    version: 2,
    tables: &["CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL)"],
};

async fn add(database: &mut Database, name: &str) {
    let insert = sqlx::query("INSERT INTO things (name) VALUES ($1)").bind(name.to_owned());
    insert.execute(&mut database.connection).await.unwrap();
}

async fn count(database: &mut Database) -> i64 {
    let count = sqlx::query_scalar("SELECT COUNT(*) FROM things");
    count.fetch_one(&mut database.connection).await.unwrap()
}

#[tokio::test]
async fn a_file_is_created_with_its_tables_and_keeps_its_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new").join("things.db");
    let mut database = Database::open(&path, SCHEMA).await.unwrap();
    add(&mut database, "lamp").await;
    drop(database);
    let mut again = Database::open(&path, SCHEMA).await.unwrap();
    assert_eq!(count(&mut again).await, 1);
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_user_can_read_a_file() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new").join("things.db");
    Database::open(&path, SCHEMA).await.unwrap();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&path), 0o600);
    assert_eq!(mode(path.parent().unwrap()), 0o700);
}

#[tokio::test]
async fn a_newer_file_and_one_of_another_program_are_left_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("things.db");
    drop(Database::open(&path, SCHEMA).await.unwrap());
    let older = Schema {
        version: 1,
        ..SCHEMA
    };
    let error = Database::open(&path, older).await.unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Newer);
    assert!(error.to_string().contains("things.db is of version 2"));
    // A file without a version that has tables.
    let foreign = folder.path().join("foreign.db");
    let options = SqliteConnectOptions::new().filename(&foreign);
    let mut connection = options.create_if_missing(true).connect().await.unwrap();
    let table = sqlx::query("CREATE TABLE other (id INTEGER)");
    table.execute(&mut connection).await.unwrap();
    let error = Database::open(&foreign, SCHEMA).await.unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Foreign);
}

#[tokio::test]
async fn a_file_that_is_no_database_is_an_error_with_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("things.db");
    std::fs::write(
        &path,
        "this is no database, but a text of some length\n".repeat(20),
    )
    .unwrap();
    let error = Database::open(&path, SCHEMA).await.unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Damaged);
    assert!(error.hint().contains("move the file away"));
    assert!(error.detail().is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn many_that_create_one_file_at_once_all_succeed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("things.db");
    let tasks: Vec<_> = (0..8)
        .map(|number| {
            let path = path.clone();
            tokio::spawn(async move {
                let mut database = Database::open(&path, SCHEMA).await.unwrap();
                add(&mut database, &number.to_string()).await;
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let mut database = Database::open(&path, SCHEMA).await.unwrap();
    assert_eq!(count(&mut database).await, 8);
}
