//! As much of JSON Schema as our own schemas use, read strictly: what a schema does not name is an
//! error, so that a new field cannot be forgotten.

use std::collections::BTreeSet;

use serde_json::Value;

/// A schema and what a document used of it.
pub(crate) struct Schema {
    root: Value,
    /// Paths of the document in the notation of `docs/reference/report.md`.
    pub(crate) paths: BTreeSet<String>,
    errors: Vec<String>,
}

impl Schema {
    pub(crate) fn new(text: &str) -> Self {
        let root = serde_json::from_str(text).expect("a schema is JSON");
        Self { root, paths: BTreeSet::new(), errors: Vec::new() }
    }

    /// Everything by which `document` differs from the schema.
    pub(crate) fn errors(&mut self, document: &Value) -> Vec<String> {
        let root = self.root.clone();
        self.check(&root, document, "");
        std::mem::take(&mut self.errors)
    }

    fn check(&mut self, schema: &Value, value: &Value, path: &str) {
        if let Some(target) = schema["$ref"].as_str() {
            let name = target.strip_prefix("#/$defs/").expect("references are local");
            let target = self.root["$defs"][name].clone();
            return self.check(&target, value, path);
        }
        if let Some(choices) = schema["anyOf"].as_array() {
            let fits = choices.iter().find(|choice| (choice["type"] == "null") == value.is_null());
            if let Some(choice) = fits.cloned() {
                self.check(&choice, value, path);
            }
            return;
        }
        let is_constant = schema.get("const").is_none_or(|constant| constant == value);
        let is_listed = schema["enum"].as_array().is_none_or(|list| list.contains(value));
        let is_least = match (schema["minimum"].as_i64(), value.as_i64()) {
            (Some(least), Some(value)) => value >= least,
            _ => true,
        };
        if !(is_constant && is_listed && is_least && is_of_type(&schema["type"], value)) {
            self.errors.push(format!("`{path}` is {value}"));
        }
        match value {
            Value::Object(fields) if schema["properties"].is_object() => {
                self.object(schema, fields, path);
            }
            Value::Object(fields) => {
                for (name, value) in fields {
                    let schema = schema["additionalProperties"].clone();
                    if schema.is_null() {
                        self.errors.push(format!("`{path}.{name}` is not in the schema"));
                    } else if schema["type"].is_string() && !is_of_type(&schema["type"], value) {
                        self.errors.push(format!("`{path}.{name}` is {value}"));
                    }
                }
            }
            Value::Array(items) => self.array(schema, items, path),
            _ => {}
        }
    }

    fn object(&mut self, schema: &Value, fields: &serde_json::Map<String, Value>, path: &str) {
        let properties = schema["properties"].as_object().expect("properties are an object");
        for name in schema["required"].as_array().into_iter().flatten() {
            let name = name.as_str().expect("names are text");
            if !fields.contains_key(name) {
                self.errors.push(format!("`{path}.{name}` is missing"));
            }
        }
        for (name, value) in fields {
            let dot = if path.is_empty() { "" } else { "." };
            let below = format!("{path}{dot}{name}");
            match properties.get(name) {
                Some(schema) if !schema["description"].as_str().unwrap_or_default().is_empty() => {
                    // A pair of numbers is one value, not a list.
                    let is_list = value.is_array() && schema["minItems"].is_null();
                    let below = if is_list { format!("{below}[]") } else { below };
                    self.paths.insert(below.clone());
                    self.check(schema, value, &below);
                }
                Some(_) => self.errors.push(format!("`{below}` is not described")),
                None => self.errors.push(format!("`{below}` is not in the schema")),
            }
        }
    }

    fn array(&mut self, schema: &Value, items: &[Value], path: &str) {
        for bound in ["minItems", "maxItems"] {
            if schema[bound].as_u64().is_some_and(|n| n != items.len() as u64) {
                self.errors.push(format!("`{path}` has {} items", items.len()));
            }
        }
        for item in items {
            self.check(&schema["items"], item, path);
        }
    }
}

fn is_of_type(wanted: &Value, value: &Value) -> bool {
    let is = |wanted: &Value| match wanted.as_str().unwrap_or_default() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("unknown type `{other}`"),
    };
    match wanted {
        Value::Array(list) => list.iter().any(is),
        Value::Null => true,
        one => is(one),
    }
}
