// Prints what the grammar cannot read in each PowerShell script, one error per line, and exits with 1 if there is any.
// With --tree it prints the syntax tree of each script as well, without comments that have a line of their own. With
// --outline it prints the outline of outline.mjs. Each tree and each outline begins with a line "program".
//
//   node check.mjs FILE...
//   node check.mjs --tree FILE...
//   node check.mjs --outline FILE...
//
// Start it in the directory that contains node_modules.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { outline } from './outline.mjs';

const modules = path.resolve('node_modules');
const library = createRequire(modules + path.sep).resolve('web-tree-sitter');
const { Parser, Language } = await import(pathToFileURL(library).href);

await Parser.init();
const parser = new Parser();
parser.setLanguage(await Language.load(path.join(modules, 'tree-sitter-powershell', 'tree-sitter-powershell.wasm')));

function* errorsBelow(node) {
  if (node.isError || node.isMissing) {
    const what = node.isMissing ? `missing ${node.type}` : `error near ${JSON.stringify(node.text.slice(0, 60))}`;
    yield `${node.startPosition.row + 1}:${node.startPosition.column + 1}: ${what}`;
  }
  for (const child of node.hasError ? node.children : []) {
    yield* errorsBelow(child);
  }
}

// The tree contains neither comments that have a line of their own nor white space.
function* treeBelow(node, lines, depth) {
  const before = lines[node.startPosition.row].slice(0, node.startPosition.column);
  if ((node.type === 'comment' && before.trim() === '') || node.type === 'command_argument_sep' || node.text.trim() === '') {
    return;
  }
  const shown = node.childCount === 0 || node.type.includes('string');
  yield ' '.repeat(depth) + (shown ? `${node.type} ${node.text.trim()}` : node.type);
  for (const child of node.children) {
    yield* treeBelow(child, lines, depth + 1);
  }
}

const files = process.argv.slice(2);
const printed = files[0].startsWith('--') ? files.shift() : '';
let failed = false;
for (const file of files) {
  const text = fs.readFileSync(file, 'utf8');
  const tree = parser.parse(text);
  if (printed === '--outline') {
    console.log('program');
  }
  for (const error of errorsBelow(tree.rootNode)) {
    console.log(`${file}:${error}`);
    failed = true;
  }
  if (printed === '--tree') {
    console.log([...treeBelow(tree.rootNode, text.split('\n'), 0)].join('\n'));
  }
  if (printed === '--outline') {
    console.log(outline(tree.rootNode, 1).join('\n'));
  }
  tree.delete();
}
process.exitCode = failed ? 1 : 0;
