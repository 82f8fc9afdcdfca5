/** By which a model says that its task is done. */
export const word = "[TASK_COMPLETE]";
