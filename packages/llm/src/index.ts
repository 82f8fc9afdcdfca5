/** Loads what commands about vendors, models and keys need; a conversation needs none of it. */
export const loadAdmin = () => import("./admin.ts");
/** Loads the finder of lines in YAML; its parser is slow to load. */
export const loadLineFinder = async () => (await import("./catalog/custom/line.ts")).lineFinder;
/** Loads token counting, after the first answer or on request. */
export const loadCounting = () => import("./count/counting.ts");
export type Counting = Awaited<ReturnType<typeof loadCounting>>;
export type { Calibrations } from "./count/calibration.ts";
export { countText } from "./count/text.ts";
export { isScriptFile, loadScript, type ReadFile } from "./faux/load.ts";
export type { Script } from "./faux/script.ts";
export { type Healer, type Healing, loadHealing } from "./heal.ts";
export type * from "./message/message.ts";
export { noUsage } from "./message/message.ts";
export { isSealing, sealedItems } from "./message/sealed.ts";
export type { Failure, FailureKind, Purpose, Request, Stream, StreamEvent, ToolSpec } from "./message/stream.ts";
export { taskComplete } from "./message/stream.ts";
export { strictJson } from "./message/strict.ts";
export {
  clampEffort,
  type Effort,
  efforts,
  type Model,
  modelName,
  type ProfileName,
  profileNames,
} from "./model/model.ts";
export { priced } from "./model/price.ts";
export { describeCalls } from "./protocol/describe.ts";
export {
  type Models,
  openModels,
  type ResolvedModel,
  type ResolveFailure,
  type ResolveOptions,
  resolveModel,
} from "./resolve.ts";
/** Loads the parser of token limits in overflow messages. */
export const loadLimit = async () => (await import("./protocol/failure.ts")).tokenLimitIn;
export const loadPost = async () => (await import("./route/post.ts")).postJson;
export { Tap, type TapCapture } from "./route/tap.ts";
export type { TransportOptions } from "./route/transport.ts";
export type { VendorReport } from "./survey.ts";
export type { Vendor } from "./vendor/vendor.ts";
