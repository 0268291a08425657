use serde_json::{Value, json};

use super::{ReadError, read_arguments, read_value, read_value_prefix};
