// One constructor per tool. Each takes what it uses; a part finds all of it in its hall.
export { ask } from "./part/ask/tool.ts";
export { runSubagent } from "./part/delegate/run-subagent.ts";
export { searchTools } from "./part/discover/search-tool-bm25.ts";
export { edit } from "./part/files/edit/edit.ts";
export { read } from "./part/files/read/read.ts";
export { write } from "./part/files/write/write.ts";
export { exitPlanMode } from "./part/plan/exit-plan-mode.ts";
export { checkpoint } from "./part/rewind/checkpoint.ts";
export { rewind } from "./part/rewind/tool.ts";
export { find } from "./part/search/find/find.ts";
export { search } from "./part/search/search/search.ts";
export { bash } from "./part/shell/bash/bash.ts";
export { job } from "./part/shell/job/job.ts";
export { astEdit } from "./part/structure/ast-edit/ast-edit.ts";
export { astGrep } from "./part/structure/ast-grep/ast-grep.ts";
export { resolve } from "./part/structure/resolve/resolve.ts";
export { todo } from "./part/todo/tool.ts";
