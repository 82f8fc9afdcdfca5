export type { Answer, Event, Notice, Question, TurnEnd, TurnState } from "./event.ts";
export type { Behaviour, CallView, Hooks, Recovery, TurnView, Verdict } from "./loop/hook.ts";
export type { Draft, Entry, Header } from "./session/entry.ts";
export type { Input } from "./session/inbox.ts";
export { type Data, type FileChange, type Kind, kindOf, type RunData } from "./tool/kind.ts";
export { type Limits, type Meta, notice, type Truncation } from "./tool/meta.ts";
export { type Call, type Effect, effectOf, type Outcome, type Tool, tool } from "./tool/tool.ts";
