/** Methods of the store that a suite has called, on all stores that it has opened. */

import type { Store } from '../../src/store/store.ts'
import { anAuthor, type OpenStore } from '../support/store-builders.ts'
import { wrapped } from '../support/wrapped-methods.ts'

export class CalledMethods {
  readonly #names = new Set<string>()

  /** Sorted names such as `checks.find`; those of an author's writes as `by().checks.change`. */
  get names(): readonly string[] {
    return [...this.#names].toSorted()
  }

  /** Opens the same stores, and records their calls. */
  of(open: OpenStore): OpenStore {
    return async (logBytes) => {
      const { store, another, close } = await open(logBytes)
      return {
        store: this.#noted(store),
        another: another && (async (ownLogBytes) => this.#noted(await another(ownLogBytes))),
        close: () => {
          this.#names.add('close')
          return close()
        },
      }
    }
  }

  #noted<Part extends object>(part: Part, of = ''): Part {
    return wrapped(part, (path, method) => (...given) => {
      this.#names.add(of + path)
      const result = method(...given)
      return path === 'by' ? this.#noted(result as object, 'by().') : result
    })
  }
}

/** Lists all methods of a store, named and ordered like {@link CalledMethods.names}. */
export function methodsOf(store: Store): readonly string[] {
  return [...namesIn(store), ...namesIn(store.by(anAuthor()), 'by().')].toSorted()
}

function namesIn(part: object, of = ''): readonly string[] {
  return Object.entries(part).flatMap(([name, member]) =>
    typeof member === 'object' ? namesIn(member, `${of}${name}.`) : `${of}${name}`,
  )
}
