/** The first line of the overview page and of `overdue status`: how many checks have problems, and what state the others are in. */

interface Affected {
  readonly down: number
  readonly late: number
}

interface CountedPlace extends Affected {
  readonly unheard: { readonly isCut: boolean }
}

export interface CountedChecks extends Affected {
  readonly slow: number
  readonly expected: number
  readonly unpinged: number
  readonly resumed: number
  readonly paused: number
  /** number of checks that would not alert anyone if they failed */
  readonly unheard: number
  /** true if not all of the late or slow checks were counted */
  readonly isCut: boolean
  /** counts for each project */
  readonly places: readonly CountedPlace[]
}

/**
 * Returns sentences such as `3 checks down and 1 late, in 1 of your 3 projects. 28 as expected, 1 not pinged yet, 2 paused.` Says that
 * everything is good only if every check is monitored and has been pinged.
 * @param seesAll false if only the reader's own projects are counted
 */
export function overviewSentence(counted: CountedChecks, seesAll: boolean): string {
  const { down, late, slow, isCut, unheard, expected, unpinged, resumed, paused } = counted
  const kinds: readonly (readonly [number: number, words: string])[] = [
    [slow, 'running longer than usual'],
    [expected, 'as expected'],
    [unpinged, 'not pinged yet'],
    [resumed, 'resumed and not pinged since'],
    [paused, 'paused'],
  ]
  const others = kinds.flatMap(([number, words]) => (number > 0 ? [`${number} ${words}`] : []))
  if (down === 0 && late === 0) {
    if (others.length === 0 && unheard === 0) return 'Nothing is monitored yet.'
    if (expected > 0 && others.length === 1 && unheard === 0) return `${checks(expected)}, all good.`
  }
  const bad = down === 0 && late === 0 ? 'Nothing is down or late.' : badSentence(counted, seesAll)
  // The number of the other checks is unknown unless all problems were counted.
  const rest = isCut || others.length === 0 ? [] : [`${others.join(', ')}.`]
  return [bad, ...(unheard > 0 ? [unheardSentence(counted)] : []), ...rest].join(' ')
}

/** Returns a sentence such as `3 checks down and 1 late, in 1 of your 3 projects.` */
function badSentence({ down, late, isCut, places }: CountedChecks, seesAll: boolean): string {
  const words = [
    ...(down > 0 ? [`${checks(down)} down`] : []),
    ...(late > 0 ? [`${down > 0 ? late : checks(late)} late`] : []),
  ].join(' and ')
  const affected = places.filter((place) => place.down > 0 || place.late > 0).length
  const part = affected < places.length ? `${affected} of${seesAll ? '' : ' your'} ` : ''
  const where = places.length > 1 ? `, in ${part}${places.length} projects` : ''
  return `${isCut ? 'At least ' : ''}${words}${where}.`
}

/** Returns a sentence such as `5 checks would fail unnoticed.` */
function unheardSentence({ unheard, places }: CountedChecks): string {
  const isCut = places.some((place) => place.unheard.isCut)
  return `${isCut ? 'At least ' : ''}${checks(unheard)} would fail unnoticed.`
}

function checks(number: number): string {
  return `${number.toLocaleString('en')} ${number === 1 ? 'check' : 'checks'}`
}
