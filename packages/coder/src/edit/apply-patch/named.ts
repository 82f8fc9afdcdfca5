/** Whether a command may be one that only applies a patch; known without reading it. */
export const mayPatch = (command: string): boolean => /apply_?patch/.test(command);
