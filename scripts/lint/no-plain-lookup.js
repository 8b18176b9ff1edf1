import ts from 'typescript';

/**
 * Forbids `object[key]`, `key in object` and `const { [key]: value } = object` if the key may be any string. A plain
 * object inherits properties, so a name chosen by a sender, such as `constructor` or `__proto__`, selects an
 * inherited property. Allowed are:
 *
 * - a `Map`;
 * - a key of a closed set: a literal, a union of literals, `keyof T`, or a branded string;
 * - an access guarded in the same expression or `if`: `Object.hasOwn(object, key) ? object[key] : undefined`;
 * - arrays and strings, and `process.env`.
 *
 * `Reflect.get`, `has` and `set` are the same accesses, except for a `Proxy` that forwards its arguments. A cast does
 * not make a key one of a closed set, neither within the brackets nor where a constant is defined; a type guard does.
 */
export const noPlainLookup = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      lookup:
        'This key may be any string, "constructor" and "__proto__" included. Use a Map, narrow the key to a closed set with a type guard, or guard the access with Object.hasOwn.',
    },
  },
  create(context) {
    const { sourceCode } = context;
    const services = sourceCode.parserServices;
    const checker = services.program.getTypeChecker();
    const mayBeAnyString = (key) =>
      partsOf(typeAt(uncast(key))).some((type) => isOpenString(checker, type));
    /** A value cast to a key type, in place or where a constant is defined. */
    const uncast = (key) => {
      const bare = withoutCasts(key);
      const value = bare.type === 'Identifier' && castTo(bare);
      return value ? uncast(value) : bare;
    };
    const castTo = (identifier) => {
      const { references } = sourceCode.getScope(identifier);
      const variable = references.find((each) => each.identifier === identifier)?.resolved;
      const [definition] = variable?.defs ?? [];
      const created = definition?.type === 'Variable' && definition.node;
      return created && definition.parent.kind === 'const' && CASTS.has(created.init?.type)
        ? created.init
        : undefined;
    };
    /** Arrays and strings have numeric keys; a string cast to one selects an inherited property. */
    const isCastString = (key) =>
      partsOf(typeAt(uncast(key))).some(
        (type) => (type.flags & ts.TypeFlags.Any) === 0 && isOpenString(checker, type),
      );
    const typeAt = (node) => services.getTypeAtLocation(node);
    const inherits = (object) =>
      partsOf(typeAt(object)).some((type) => isPlainObject(checker, type));
    const textOf = (node) => sourceCode.getText(withoutCasts(node));
    const check = (node, object, key) => {
      if (!mayBeAnyString(key) || textOf(object) === 'process.env') return;
      if (!inherits(object) && !isCastString(key)) return;
      if (!isGuarded(node, textOf(object), textOf(key), textOf))
        context.report({ node, messageId: 'lookup' });
    };
    return {
      MemberExpression(node) {
        if (node.computed) check(node, node.object, node.property);
      },
      CallExpression(node) {
        const [object, key] = node.arguments;
        if (REFLECTIONS.has(textOf(node.callee)) && key && !isOfProxy(node))
          check(node, object, key);
      },
      BinaryExpression(node) {
        if (node.operator === 'in' && node.left.type !== 'PrivateIdentifier')
          check(node, node.right, node.left);
      },
      'ObjectPattern > Property[computed=true]'(node) {
        // The pattern is checked like the destructured object.
        check(node, node.parent, node.key);
      },
    };
  },
};

const REFLECTIONS = new Set(['Reflect.get', 'Reflect.has', 'Reflect.set']);
const CASTS = new Set([
  'TSAsExpression',
  'TSTypeAssertion',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
]);

const withoutCasts = (node) => (CASTS.has(node.type) ? withoutCasts(node.expression) : node);

const partsOf = (type) => (type.isUnion() ? type.types.flatMap(partsOf) : [type]);

/** `string`, a template with an open part, `any`, and a type parameter of these; no literal, no brand, no `keyof`. */
function isOpenString(checker, type) {
  const { Any, String, StringMapping, TemplateLiteral, TypeParameter, Index } = ts.TypeFlags;
  // `string & {}` is every string; a brand has a property.
  if (type.isIntersection())
    return type.types.every(
      (part) =>
        isOpenString(checker, part) ||
        (part.flags & ts.TypeFlags.Object && checker.getPropertiesOfType(part).length === 0),
    );
  // `keyof T` for a T that may have any key.
  if (type.flags & Index) {
    const whole = checker.getBaseConstraintOfType(type.type);
    return whole !== undefined && whole.getStringIndexType() !== undefined;
  }
  if (type.flags & TypeParameter) {
    // Checked as written: resolved, `keyof T` would be any string.
    const written = type.symbol.declarations?.find(ts.isTypeParameterDeclaration)?.constraint;
    if (!written) return false;
    const constraint = checker.getTypeAtLocation(written);
    return partsOf(constraint).some((part) => isOpenString(checker, part));
  }
  return (type.flags & (Any | String | StringMapping | TemplateLiteral)) !== 0;
}

function isPlainObject(checker, type) {
  const { StringLike, NumberLike, Undefined, Null } = ts.TypeFlags;
  if (type.flags & (StringLike | NumberLike | Undefined | Null)) return false;
  return !checker.isArrayType(type) && !checker.isTupleType(type);
}

const isOfProxy = (node) =>
  node !== null &&
  ((node.type === 'NewExpression' && node.callee.name === 'Proxy') || isOfProxy(node.parent));

/** Whether the access is evaluated only where `Object.hasOwn(object, key)` holds. */
function isGuarded(node, object, key, textOf) {
  for (let child = node, at = node.parent; at; child = at, at = at.parent) {
    if (/Function|^Program$/.test(at.type)) return false;
    const holds =
      (at.type === 'ConditionalExpression' && at.consequent === child && at.test) ||
      (at.type === 'IfStatement' && at.consequent === child && at.test) ||
      (at.type === 'LogicalExpression' && at.operator === '&&' && at.right === child && at.left);
    if (holds && conjunctsOf(holds).some((test) => asksFor(test, object, key, textOf))) return true;
  }
  return false;
}

const conjunctsOf = (test) =>
  test.type === 'LogicalExpression' && test.operator === '&&'
    ? [...conjunctsOf(test.left), ...conjunctsOf(test.right)]
    : [test];

const asksFor = (test, object, key, textOf) =>
  test.type === 'CallExpression' &&
  textOf(test.callee) === 'Object.hasOwn' &&
  test.arguments.length === 2 &&
  textOf(test.arguments[0]) === object &&
  textOf(test.arguments[1]) === key;
