//! Tools from plain async functions; the schema comes from the argument type.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use haft_core::{
    Arguments, Tool, ToolAnnotations, ToolError, ToolErrorKind, ToolInput, ToolOutput,
};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::Value;

type Run = dyn Fn(Arguments) -> BoxFuture<'static, Result<ToolOutput, ToolError>> + Send + Sync;

/// A tool that runs an async function; see [`tool()`].
pub struct FunctionTool {
    name: String,
    description: String,
    schema: Value,
    annotations: ToolAnnotations,
    timeout: Option<Duration>,
    run: Box<Run>,
}

/// Makes a tool of an async function.
///
/// The function takes one struct, whose field documentation becomes the description of each
/// parameter, and returns anything that converts into a [`ToolOutput`]: text, JSON, or either with
/// an artifact. A function that needs no arguments takes `()`.
///
/// ```
/// use haft_core::ToolError;
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct WeatherArgs {
///     /// City name
///     city: String,
/// }
///
/// async fn weather(args: WeatherArgs) -> Result<String, ToolError> {
///     Ok(format!("21 degrees in {}", args.city))
/// }
///
/// let tool = haft_tools::tool("get_weather", "Current weather in a city", weather).read_only();
/// ```
pub fn tool<A, F, B, O, E>(
    name: impl Into<String>,
    description: impl Into<String>,
    function: F,
) -> FunctionTool
where
    A: DeserializeOwned + JsonSchema,
    F: Fn(A) -> B + Send + Sync + 'static,
    B: Future<Output = Result<O, E>> + Send + 'static,
    O: Into<ToolOutput>,
    E: Into<ToolError>,
{
    let schema = schema_of::<A>();
    let takes_nothing = schema.get("type").is_some_and(|kind| kind == "null");
    let run = move |arguments: Arguments| -> BoxFuture<'static, Result<ToolOutput, ToolError>> {
        let arguments = if takes_nothing {
            Value::Null
        } else {
            Value::Object(arguments)
        };
        match serde_json::from_value::<A>(arguments) {
            Ok(arguments) => {
                let result = function(arguments);
                Box::pin(async move { result.await.map(Into::into).map_err(Into::into) })
            }
            Err(error) => Box::pin(std::future::ready(Err(ToolError::of_kind(
                ToolErrorKind::InvalidArguments,
                format!("The arguments do not fit: {error}"),
            )))),
        }
    };
    FunctionTool {
        name: name.into(),
        description: description.into(),
        schema: if takes_nothing || !schema.is_object() {
            no_arguments()
        } else {
            schema
        },
        annotations: ToolAnnotations::default(),
        timeout: None,
        run: Box::new(run),
    }
}

/// The JSON Schema of `A` without `$ref` and title, the form that small models understand best.
#[must_use]
pub fn schema_of<A: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<A>();
    // The name of a Rust type has no meaning for a model.
    schema.remove("title");
    let mut schema = schema.to_value();
    // A struct without fields lists no properties, and deserializing it ignores any others.
    if let Value::Object(map) = &mut schema
        && map.get("type").is_some_and(|kind| kind == "object")
        && map
            .keys()
            .all(|key| matches!(key.as_str(), "type" | "description"))
    {
        map.insert("properties".to_owned(), Value::Object(Arguments::new()));
    }
    schema
}

/// The schema of a tool without arguments. Model servers require an object schema even then.
fn no_arguments() -> Value {
    serde_json::json!({"type": "object", "properties": {}})
}

impl FunctionTool {
    /// Declares that the tool changes nothing.
    #[must_use]
    pub fn read_only(mut self) -> Self {
        self.annotations.read_only = true;
        self
    }

    /// Declares that the tool may destroy something or has a high impact.
    #[must_use]
    pub fn destructive(mut self) -> Self {
        self.annotations.destructive = true;
        self
    }

    /// Keeps calls of the tool from overlapping with any other call of a round.
    #[must_use]
    pub fn sequential(mut self) -> Self {
        self.annotations.sequential = true;
        self
    }

    /// Sets the time limit of each call, instead of the executor's default.
    #[must_use]
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.timeout = Some(limit);
        self
    }
}

impl fmt::Debug for FunctionTool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("FunctionTool")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl Tool for FunctionTool {
    fn name(&self) -> &str {
        &self.name
    }

    fn description(&self) -> &str {
        &self.description
    }

    fn schema(&self) -> &Value {
        &self.schema
    }

    fn annotations(&self) -> ToolAnnotations {
        self.annotations
    }

    fn timeout(&self) -> Option<Duration> {
        self.timeout
    }

    async fn invoke(&self, input: ToolInput) -> Result<ToolOutput, ToolError> {
        (self.run)(input.input).await
    }
}

impl From<FunctionTool> for Arc<dyn Tool> {
    fn from(tool: FunctionTool) -> Self {
        Arc::new(tool)
    }
}

#[cfg(test)]
mod tests;
