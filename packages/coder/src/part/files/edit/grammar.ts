// Grammars for vendors that hold a model to one while it writes: the canonical form, of which the parsers take more.

export const hashlineGrammar = `start: section+
section: header op+
header: "[" /[^#\\n]+/ "#" /[0-9A-F]{4}/ "]" LF
op: replace | replace_block | delete | delete_block | insert
replace: "replace " NUMBER ".." NUMBER ":" LF row+
replace_block: "replace block " NUMBER ":" LF row+
delete: "delete " NUMBER ".." NUMBER LF
delete_block: "delete block " NUMBER LF
insert: "insert " place ":" LF row+
place: "before " NUMBER | "after " NUMBER | "head" | "tail"
row: "+" /[^\\n]*/ LF
NUMBER: /[1-9][0-9]*/
LF: /\\n/
`;

export const patchGrammar = `start: begin hunk+ end
begin: "*** Begin Patch" LF
end: "*** End Patch" LF?
hunk: add | delete | update
add: "*** Add File: " PATH LF added+
delete: "*** Delete File: " PATH LF
update: "*** Update File: " PATH LF move? chunk+
move: "*** Move to: " PATH LF
chunk: context+ row+ eof?
context: "@@" LF | "@@ " /[^\\n]*[^\\s][^\\n]*/ LF
added: "+" /[^\\n]*/ LF
row: /[ +-]/ /[^\\n]*/ LF
eof: "*** End of File" LF
PATH: /[^\\s][^\\n]*/
LF: /\\n/
`;
