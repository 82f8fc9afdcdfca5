import { isRecord } from "@pith/kit";
import type { CompactAnswer } from "./cause.ts";

/** Checks a hook's answer, which is foreign code; throws if it cannot be recorded. */
export function checkAnswer(answer: CompactAnswer): CompactAnswer {
  if (answer.do === "cancel") return answer;
  const { preserveData, ...said } = answer.do === "result" ? answer.result : answer;
  JSON.stringify([said, preserveData]);
  if (preserveData !== undefined && !isRecord(preserveData)) throw new Error("preserveData is no object");
  if (answer.do === "result") {
    if (!isText(answer.result.summary)) throw new Error("its summary is no text");
    if (!isOptional(answer.result.shortSummary, isText)) throw new Error("its shortSummary is no text");
    if (!isOptional(answer.result.details, isRecord)) throw new Error("its details are no object");
    return answer;
  }
  if (!isOptional(answer.prompt, isText)) throw new Error("its prompt is no text");
  if (!isOptional(answer.context, (list) => Array.isArray(list) && list.every(isText)))
    throw new Error("its context is no list of texts");
  return answer;
}

const isText = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";
const isOptional = (value: unknown, is: (value: unknown) => boolean): boolean => value === undefined || is(value);
