// Made by scripts/gen/parts.ts from the folders of the parts.
export { ask } from "./part/ask/tool.ts";
export { astEdit } from "./part/structure/ast-edit/ast-edit.ts";
export { astGrep } from "./part/structure/ast-grep/ast-grep.ts";
export { bash } from "./part/shell/bash/bash.ts";
export { checkpoint } from "./part/rewind/checkpoint.ts";
export { edit } from "./part/files/edit/edit.ts";
export { exitPlanMode } from "./part/plan/exit-plan-mode.ts";
export { find } from "./part/search/find/find.ts";
export { job } from "./part/shell/job/job.ts";
export { loadTools } from "./part/discover/load-tools.ts";
export { read } from "./part/files/read/read.ts";
export { resolve } from "./part/structure/resolve/resolve.ts";
export { rewind } from "./part/rewind/tool.ts";
export { runSubagent } from "./part/delegate/run-subagent.ts";
export { search } from "./part/search/search/search.ts";
export { todo } from "./part/todo/tool.ts";
export { write } from "./part/files/write/write.ts";
