// Made by scripts/gen/parts.ts from the folders of the parts.
import type { DataOf } from "@pith/agent";
import { kinds as ask } from "./part/ask/kinds.ts";
import { kinds as btw } from "./part/btw/kinds.ts";
import { kinds as delegate } from "./part/delegate/kinds.ts";
import { kinds as discover } from "./part/discover/kinds.ts";
import { kinds as plan } from "./part/plan/kinds.ts";
import { kinds as shell } from "./part/shell/kinds.ts";
import { kinds as todo } from "./part/todo/kinds.ts";

export const resultKinds = {
  ...ask,
  ...btw,
  ...delegate,
  ...discover,
  ...plan,
  ...shell,
  ...todo,
};

type All = DataOf<typeof resultKinds>;
declare module "@pith/agent" {
  interface Data extends All {}
}
