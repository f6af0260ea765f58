// The outline of a PowerShell script contains its statements in their order, one per line, and those of a block
// with more indentation. The line before a block contains its condition. A command has its name on one line, and below
// it each parameter or argument. Long texts in base64 are left out.

const blocks = ['statement_block', 'script_block', 'script_block_expression', 'switch_body'];

// nearest returns the nodes below the given one that have one of the types, but none below another one.
const nearest = (node, types) =>
  node.namedChildren.flatMap((n) => (types.includes(n.type) ? [n] : nearest(n, types)));

const oneLine = (text) =>
  text.replace(/\s*`?\r?\n\s*/g, ' ').replace(/'[A-Za-z0-9+/]{40,}={0,2}'/g, "'(base64)'").trim();

const indented = (depth, text) => (text === '' ? [] : [' '.repeat(2 * depth) + text]);

// outline returns the lines of the statements in the node.
export function outline(node, depth = 0) {
  return node.namedChildren.flatMap((n) => {
    if (n.type === 'comment' || n.type === 'empty_statement') {
      return [];
    }
    return n.type === 'statement_list' || n.type.startsWith('script_block') ? outline(n, depth) : statement(n, depth);
  });
}

function statement(node, depth) {
  const [first] = node.namedChildren;
  if (node.type === 'pipeline' && first.type === 'assignment_expression') {
    const value = first.namedChildren.at(-1);
    if (value.namedChildren.some((chain) => chain.namedChildren.some((n) => n.type === 'command'))) {
      const left = first.text.slice(0, value.startIndex - first.startIndex);
      return [...indented(depth, oneLine(left)), ...statement(value, depth + 1)];
    }
  }
  if (node.type === 'pipeline' && first.type === 'pipeline_chain') {
    return node.namedChildren.flatMap((chain) => chain.namedChildren.flatMap((n, i) =>
      (n.type === 'command' ? command(n, depth, i === 0 ? 'command' : '|') : inBlocks(n, depth))));
  }
  return inBlocks(node, depth);
}

function command(node, depth, before) {
  const elements = node.namedChildren.find((n) => n.type === 'command_elements');
  const name = node.text.slice(0, (elements?.startIndex ?? node.endIndex) - node.startIndex);
  const lines = indented(depth, `${before} ${oneLine(name)}`);
  let afterParameter = false;
  for (const element of elements?.namedChildren ?? []) {
    if (element.type === 'command_argument_sep' || element.text.trim() === '') {
      continue;
    }
    const isParameter = element.type === 'command_parameter';
    if (afterParameter && !isParameter) {
      lines[lines.length - 1] += ' ' + oneLine(element.text);
    } else {
      lines.push(...inBlocks(element, depth + 1));
    }
    afterParameter = isParameter;
  }
  return lines;
}

// inBlocks returns the text of the node, and the statements of each block after the text before it.
function inBlocks(node, depth) {
  const lines = [];
  let end = node.startIndex;
  const textUntil = (index) => oneLine(node.text.slice(end - node.startIndex, index - node.startIndex))
    .replace(/^\}\s*/, '').replace(/\s*\{$/, '');
  for (const block of blocks.includes(node.type) ? [node] : nearest(node, blocks)) {
    lines.push(...indented(depth, textUntil(block.startIndex)), ...outline(block, depth + 1));
    end = block.endIndex;
  }
  return [...lines, ...indented(depth, textUntil(node.endIndex))];
}
