export { type Body, bodyOf } from "./body.ts";
export { type Access, Guard, hostOf, type Refusal, type Tokens } from "./guard.ts";
export { pageResponse } from "./page.ts";
