//! The spans of traces, in distinction to those of the log.

/// The target of every `tracing` span that describes a step of a request for OpenTelemetry, with
/// the names of its conventions for generative AI (`gen_ai.operation.name` and others:
/// <https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/>). They have no content of
/// conversations. An exporter takes the spans of this target; a log leaves them out.
pub const TRACES: &str = "haft_traces";
