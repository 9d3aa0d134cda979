import type { AST } from '@eslint-community/regexpp'

/** In how many ways a part may match from one place, and the steps that trying them all may take. */
type Cost = { readonly ways: number; readonly steps: number }

const ONE: Cost = { ways: 1, steps: 1 }
/** No estimate is told apart above this. */
const BEYOND = 1e15

/** At most so many steps a backtracking engine may take to search a text of this length; Infinity where the bound is out of reach. */
export function backtrackingSteps(pattern: AST.Pattern, length: number): number {
  const { steps } = anyOf(pattern.alternatives, length)
  const isAnchored = pattern.alternatives.every(({ elements: [first] }) => first?.type === 'Assertion' && first.kind === 'start')
  return isAnchored ? steps + length : steps * (length + 1)
}

function anyOf(alternatives: readonly AST.Alternative[], length: number): Cost {
  const costs = alternatives.map(({ elements }) => inOrder(elements, length))
  return { ways: sum(costs.map(({ ways }) => ways)), steps: sum(costs.map(({ steps }) => steps)) }
}

/** Each way to match what stands before tries the next part again. */
function inOrder(elements: readonly AST.Element[], length: number): Cost {
  let [ways, steps] = [1, 1]
  for (const element of elements) {
    const cost = costOf(element, length)
    steps += ways * cost.steps
    ways *= cost.ways
  }
  return bounded({ ways, steps })
}

function costOf(element: AST.Element, length: number): Cost {
  switch (element.type) {
    case 'Group':
    case 'CapturingGroup':
      return anyOf(element.alternatives, length)
    case 'Assertion':
      // What a look around found is not tried in another way.
      return 'alternatives' in element ? { ways: 1, steps: anyOf(element.alternatives, length).steps } : ONE
    case 'Quantifier':
      return repeated(costOf(element.element, length), element, length)
    case 'Backreference':
      return { ways: 1, steps: length + 1 }
    case 'Character':
    case 'CharacterClass':
    case 'CharacterSet':
    case 'ExpressionCharacterClass':
      return ONE
  }
}

/** With one way a round, only the number of rounds can differ; with several, the rounds multiply. */
function repeated({ ways, steps }: Cost, { min, max }: AST.Quantifier, length: number): Cost {
  const rounds = Math.min(max, min + length)
  if (ways === 1) return bounded({ ways: rounds - min + 1, steps: rounds * steps + 1 })
  let [all, tried, power] = [min === 0 ? 1 : 0, 1, 1]
  for (let round = 1; round <= rounds && tried < BEYOND; round += 1) {
    tried += power * steps
    power *= ways
    if (round >= min) all += power
  }
  return bounded({ ways: all, steps: tried })
}

function bounded({ ways, steps }: Cost): Cost {
  return ways > BEYOND || steps > BEYOND ? { ways: Infinity, steps: Infinity } : { ways, steps }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
