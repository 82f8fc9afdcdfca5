import { compactionSettings } from "./rows/compaction.ts";
import { displaySettings } from "./rows/display.ts";
import { faceSettings } from "./rows/face.ts";
import { modelSettings } from "./rows/model.ts";
import { policySettings } from "./rows/policy.ts";
import { sandboxSettings } from "./rows/sandbox.ts";
import { sessionSettings } from "./rows/session.ts";
import { shellSettings } from "./rows/shell.ts";
import { sourceSettings } from "./rows/sources.ts";
import { telemetrySettings } from "./rows/telemetry.ts";
import { toolSettings } from "./rows/tools.ts";
import { undoSettings } from "./rows/undo.ts";
import { workSettings } from "./rows/work.ts";
import type { ListSpec, NumberSpec, Spec, TextSpec } from "./spec.ts";

export type { Spec };

// One table: the reader checks by it, the writer refuses by it, `pith config` and the docs are made from it.
const schema = {
  ...modelSettings,
  ...policySettings,
  ...toolSettings,
  ...displaySettings,
  ...undoSettings,
  ...workSettings,
  ...sandboxSettings,
  ...shellSettings,
  ...sourceSettings,
  ...faceSettings,
  ...sessionSettings,
  ...compactionSettings,
  ...telemetrySettings,
} as const satisfies Record<string, Spec>;

type Schema = typeof schema;
export type Key = keyof Schema;
export type Value<K extends Key> = Filled<Schema[K]> | (Schema[K] extends { default: undefined } ? undefined : never);
/** Those that are lists. */
export type ListKey = { [K in Key]: Schema[K] extends { type: "list" } ? K : never }[Key];
/** Some keys with values of their types. */
export type Values = { [K in Key]?: Value<K> };

type Filled<S> = S extends { values: readonly (infer V)[] }
  ? V
  : S extends ListSpec<infer T>
    ? readonly T[]
    : S extends TextSpec
      ? string
      : S extends NumberSpec
        ? number
        : boolean;

export const keys = Object.keys(schema) as Key[];
export const isKey = (name: string): name is Key => Object.hasOwn(schema, name);
export const specOf = (key: Key): Spec => schema[key];
