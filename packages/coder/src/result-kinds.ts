import type { ResultKind } from "@pith/agent";
import * as parts from "./kinds.gen.ts";

/** The kinds of results that single parts add to those that tools share. */
export const resultKinds: Readonly<Record<string, ResultKind<never>>> = Object.assign({}, ...Object.values(parts));
