import { access } from "./base/access.ts";
import { children } from "./base/children.ts";
import { contextMeter, conversation, sideRequests } from "./base/conversation.ts";
import { sessionFiles } from "./base/files.ts";
import { capabilities, directories, models, shells, tokenCounts } from "./base/process.ts";
import { sessionPrompt } from "./base/prompt.ts";
import { choice, questions, sessionRecord } from "./base/record.ts";
import { policyRules } from "./base/rules.ts";
import { sessionShell } from "./base/shell.ts";
import { addressTable, tables } from "./base/tables.ts";
import { partList } from "./hall/list.ts";
import { addresses } from "./part/addresses/addresses.ts";
import { affinity } from "./part/affinity/affinity.ts";
import { arriving } from "./part/arriving/arriving.ts";
import { ask } from "./part/ask/ask.ts";
import { btw } from "./part/btw/btw.ts";
import { budget } from "./part/budget/budget.ts";
import { cacheDebug } from "./part/cache-debug/cache-debug.ts";
import { compaction, overflow } from "./part/compaction/compaction.ts";
import { compactor, sessionHandover } from "./part/compaction/owner.ts";
import { context } from "./part/context/context.ts";
import { cost } from "./part/cost/cost.ts";
import { count } from "./part/count/count.ts";
import { delegate } from "./part/delegate/delegate.ts";
import { dispatch } from "./part/delegate/dispatch/dispatch.ts";
import { orchestrate } from "./part/delegate/orchestrate/orchestrate.ts";
import { discover } from "./part/discover/discover.ts";
import { editor } from "./part/editor/editor.ts";
import { extend } from "./part/extend/extend.ts";
import { fallback } from "./part/fallback/fallback.ts";
import { files } from "./part/files/files.ts";
import { heal } from "./part/heal/heal.ts";
import { history } from "./part/history/history.ts";
import { jobs } from "./part/jobs/jobs.ts";
import { leave } from "./part/leave/leave.ts";
import { length } from "./part/length/length.ts";
import { library } from "./part/library/library.ts";
import { limit } from "./part/limit/limit.ts";
import { completion } from "./part/local/completion.ts";
import { localGuards } from "./part/local/guards.ts";
import { packets } from "./part/local/packets.ts";
import { windowCheck } from "./part/local/window.ts";
import { loop } from "./part/loop/loop.ts";
import { memory, sessionMemory } from "./part/memory/memory.ts";
import { model } from "./part/model/model.ts";
import { partial } from "./part/partial/partial.ts";
import { plan } from "./part/plan/plan.ts";
import { policy } from "./part/policy/policy.ts";
import { provenance } from "./part/provenance/provenance.ts";
import { record } from "./part/record/record.ts";
import { reload } from "./part/reload/reload.ts";
import { retry } from "./part/retry/retry.ts";
import { rewind } from "./part/rewind/rewind.ts";
import { sandbox } from "./part/sandbox/sandbox.ts";
import { searchPart } from "./part/search/search.ts";
import { secrets } from "./part/secrets/secrets.ts";
import { shell } from "./part/shell/shell.ts";
import { streamRules } from "./part/stream-rules/stream-rules.ts";
import { structure } from "./part/structure/structure.ts";
import { telemetry } from "./part/telemetry/telemetry.ts";
import { thinking } from "./part/thinking/thinking.ts";
import { title } from "./part/title/title.ts";
import { todo } from "./part/todo/todo.ts";
import { typed } from "./part/typed/typed.ts";
import { undoStore } from "./part/undo/open.ts";
import { undo } from "./part/undo/undo.ts";
import { until } from "./part/verify/until.ts";
import { verify } from "./part/verify/verify.ts";

/**
 * Everything the agent consists of. The first rows hold the state that others need; then guards come first. At every
 * point of a turn hooks are asked in this order.
 */
export const { rows: order } = partList()
  .process(models)
  .process(capabilities)
  .process(directories)
  .process(shells)
  .process(tokenCounts)
  .process(undoStore)
  .every(sessionRecord)
  .every(questions)
  .every(choice)
  .every(tables)
  .every(policyRules)
  .every(sessionShell)
  .every(access)
  .every(sessionFiles)
  .every(addressTable)
  .every(sessionPrompt)
  .every(conversation)
  .every(sideRequests)
  .every(contextMeter)
  .every(sessionHandover)
  .every(compactor)
  .every(children)
  // Before anything that reads the history: it may put an answer into it.
  .every(partial)
  // Ends last: it tells of all that happened.
  .every(telemetry)
  .every(policy)
  .every(sandbox)
  .every(provenance)
  .every(limit)
  .every(budget)
  .every(loop)
  .every(localGuards)
  // A history is healed before anything is tried again, and again before another model is asked.
  .every(heal)
  // What is too long is made shorter, never tried again as it is.
  .every(overflow)
  .every(retry)
  .every(fallback)
  .every(thinking)
  .every(affinity)
  .every(length)
  .every(cacheDebug)
  .every(count)
  .every(windowCheck)
  .every(addresses)
  .every(files)
  // Before undo: what an editor has not saved is saved first, so that one can go back to it.
  .every(editor)
  .every(shell)
  .every(searchPart)
  .every(structure)
  .every(discover)
  .every(context)
  .every(streamRules)
  .main(arriving)
  .main(rewind)
  .every(sessionMemory)
  .main(memory)
  .main(todo)
  .main(ask)
  .main(plan)
  .main(btw)
  .main(delegate)
  .main(cost)
  // Before the work is checked: a small model is asked whether it is done at all.
  .every(completion)
  .main(verify)
  .main(until)
  // Behind what checks the work: a review is of what has passed.
  .main(orchestrate)
  .main(dispatch)
  .every(undo)
  .main(reload)
  .every(typed)
  .main(jobs)
  .main(record)
  .main(history)
  .main(title)
  .main(model)
  .main(leave)
  // What files bring never takes the place of what is there.
  .main(library)
  // Behind all that is said before a step.
  .every(packets)
  // Guards of others bind every conversation; what they say is masked like all else.
  .every(extend)
  // It sees what all others made of a result.
  .every(secrets)
  // Last: before a step all others have said what they have to say.
  .every(compaction);
