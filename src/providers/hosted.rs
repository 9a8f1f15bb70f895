//! Tools that run at the provider: nobody here can keep a model from using them. Decided by the ids that providers' packages give their tools; what is not
//! known is taken to run there.

/// Tools of providers that the client runs, by how their names begin, and those that only find tools.
const RUN_BY_CLIENT: [&str; 9] =
    ["bash_", "text_editor_", "computer", "memory_", "local_shell", "apply_patch", "custom", "tool_search", "function"];
/// Provider options that bring tools of their own.
const OPTIONS: [&str; 3] = ["mcpServers", "container", "agent"];

/// Whether a request with these tools of providers, such as `anthropic.web_search_20250305`, and provider options may run tools at the provider.
pub fn runs_tools(tool_ids: &[String], option_names: &[String]) -> bool {
    let is_run_by_client = |id: &String| {
        let name = id.split_once('.').map_or("", |(_, name)| name);
        RUN_BY_CLIENT.iter().any(|beginning| name.starts_with(beginning))
    };
    !tool_ids.iter().all(is_run_by_client) || option_names.iter().any(|name| OPTIONS.contains(&name.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_run_at_the_provider_unless_they_are_known_to_be_the_clients() {
        for (ids, options, runs) in [
            (&[][..], &["thinking", "cacheControl"][..], false),
            (&["anthropic.bash_20250124", "anthropic.computer_20251124", "openai.local_shell"], &[], false),
            (&["anthropic.tool_search_regex_20251119"], &[], false),
            (&["anthropic.bash_20250124", "anthropic.web_search_20250305"], &[], true),
            (&["openai.mcp"], &[], true),
            (&["google.code_execution"], &[], true),
            (&["openai.shell"], &[], true),
            (&["", "xai.web_search"], &[], true),
            (&[], &["mcpServers"], true),
        ] {
            let [ids, options] = [ids, options].map(|names| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
            assert_eq!(runs_tools(&ids, &options), runs, "{ids:?} {options:?}");
        }
    }
}
