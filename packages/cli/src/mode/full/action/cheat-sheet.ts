import type { Keys } from "../context.ts";

/** Lists what a person needs most, on one page: the keys as they are now, and what the status line says. */
export function cheatSheet(keys: Keys): string {
  const key = (name: string) => keys.of(name)[0] ?? "(no key)";
  const row = (left: string, right: string) => `  ${left.padEnd(22)}${right}`;
  return [
    "Type",
    row("Enter", "send; while the model works it reads it with its next step"),
    row(key("app.message.followUp"), "send when the turn is over"),
    row(key("tui.input.newLine"), "another line"),
    row("/  @  #  !", "commands, files, sessions, run a shell command"),
    row(key("app.editor.external"), "write it in your editor"),
    row(key("app.clipboard.pasteImage"), "paste a picture"),
    row(`up, ${key("app.history.search")}`, "earlier prompts"),
    "",
    "Look and steer",
    row(key("app.interrupt"), "no to a question, stop what runs"),
    row(key("app.approval.cycle"), "what runs without asking"),
    row(key("app.thinking.cycle"), "how long the model thinks"),
    row(key("app.tools.expand"), "all of the newest output"),
    row(key("app.thinking.toggle"), "show or hide what the model thinks"),
    row("/transcript, then /", "search the conversation"),
    row("/undo  /diff  /tree", "take back a turn or hunks, go to an earlier place"),
    row("/help  /hotkeys", "all commands, all keys"),
    row(`${key("app.clear")} twice, ${key("app.exit")}`, "leave"),
    "",
    "The status line, from the left",
    row("model", "the model that is asked; then how long it thinks"),
    row("ask write auto yolo", "what runs without asking; plan changes nothing"),
    row("path, branch", "where commands run, and what git has checked out"),
    row("jobs, agents", "what runs in the background, and sub-agents"),
    row("context 12%", "how full the model's window is; /context shows what fills it"),
    row("$0.12", "what this session has cost so far; /cost shows by model"),
  ].join("\n");
}
