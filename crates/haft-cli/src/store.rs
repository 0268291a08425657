//! Opens the store of durable runs and shared sessions that flags name.

use haft::durable::{DurableStore, StoreKey};

use crate::args::StoreArgs;
use crate::attempts::state_file;
use crate::failure::Failure;

/// Opens the store that was named, or the file in the state folder.
pub(crate) async fn open(arguments: &StoreArgs) -> Result<DurableStore, Failure> {
    if let Some(store) = open_named(arguments).await? {
        return Ok(store);
    }
    let file = state_file("runs.db")?;
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let address = format!("sqlite:{}", file.display());
    open_at(&address, arguments).await
}

/// Opens the store that was named; `None` if none was.
pub(crate) async fn open_named(arguments: &StoreArgs) -> Result<Option<DurableStore>, Failure> {
    match &arguments.store {
        Some(address) => Ok(Some(open_at(address, arguments).await?)),
        None => Ok(None),
    }
}

async fn open_at(address: &str, arguments: &StoreArgs) -> Result<DurableStore, Failure> {
    Ok(match &arguments.store_key {
        Some(file) => DurableStore::open_encrypted(address, StoreKey::read(file)?).await?,
        None => DurableStore::open(address).await?,
    })
}
