// One constructor per tool. Each takes what it uses; a part finds all of it in its hall.
export { ask } from "./ask/ask.ts";
export { astEdit } from "./ast-edit/ast-edit.ts";
export { astGrep } from "./ast-grep/ast-grep.ts";
export { bash } from "./bash/bash.ts";
export { checkpoint } from "./checkpoint/checkpoint.ts";
export { edit } from "./edit/edit.ts";
export { exitPlanMode } from "./exit-plan-mode/exit-plan-mode.ts";
export { find } from "./find/find.ts";
export { job } from "./job/job.ts";
export { read } from "./read/read.ts";
export { resolve } from "./resolve/resolve.ts";
export { rewind } from "./rewind/rewind.ts";
export { runSubagent } from "./run-subagent/run-subagent.ts";
export { search } from "./search/search.ts";
export { searchTools } from "./search-tool-bm25/search-tool-bm25.ts";
export { todo } from "./todo/todo.ts";
export { write } from "./write/write.ts";
