export { sleep, whenAborted } from "./abort.ts";
export { type Clock, shortId, systemClock, uuid7 } from "./clock.ts";
export { fill } from "./fill.ts";
export { LineCutter } from "./lines.ts";
export { fileLog, type Log, silentLog } from "./log.ts";
export { expandHome, isInside, pithHome, realPath, showPath } from "./path.ts";
export { codeOf, type Fail, fail, messageOf, type Ok, ok, type Result } from "./result.ts";
export { byteLength, countLines, formatBytes, headBytes, plainText, plural, tailBytes } from "./text.ts";
export { span, timingReport } from "./timing.ts";
