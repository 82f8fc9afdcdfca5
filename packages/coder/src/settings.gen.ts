// Made by scripts/gen/parts.ts from the folders of the parts.
import { settings as ask } from "./part/ask/settings.ts";
import { settings as compaction } from "./part/compaction/settings.ts";
import { settings as delegate } from "./part/delegate/settings.ts";
import { settings as discover } from "./part/discover/settings.ts";
import { settings as extend } from "./part/extend/settings.ts";
import { settings as fallback } from "./part/fallback/settings.ts";
import { settings as files } from "./part/files/settings.ts";
import { settings as library } from "./part/library/settings.ts";
import { settings as limit } from "./part/limit/settings.ts";
import { settings as local } from "./part/local/settings.ts";
import { settings as loop } from "./part/loop/settings.ts";
import { settings as policy } from "./part/policy/settings.ts";
import { settings as retry } from "./part/retry/settings.ts";
import { settings as rewind } from "./part/rewind/settings.ts";
import { settings as sandbox } from "./part/sandbox/settings.ts";
import { settings as search } from "./part/search/settings.ts";
import { settings as secrets } from "./part/secrets/settings.ts";
import { settings as shell } from "./part/shell/settings.ts";
import { settings as streamRules } from "./part/stream-rules/settings.ts";
import { settings as structure } from "./part/structure/settings.ts";
import { settings as telemetry } from "./part/telemetry/settings.ts";
import { settings as todo } from "./part/todo/settings.ts";
import { settings as undo } from "./part/undo/settings.ts";
import { settings as verify } from "./part/verify/settings.ts";

export const partSettings = {
  ...ask,
  ...compaction,
  ...delegate,
  ...discover,
  ...extend,
  ...fallback,
  ...files,
  ...library,
  ...limit,
  ...local,
  ...loop,
  ...policy,
  ...retry,
  ...rewind,
  ...sandbox,
  ...search,
  ...secrets,
  ...shell,
  ...streamRules,
  ...structure,
  ...telemetry,
  ...todo,
  ...undo,
  ...verify,
};

type All = typeof partSettings;
declare module "./setting/schema.ts" {
  interface SettingRows extends All {}
}
