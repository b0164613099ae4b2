/** Which methods of the store a suite has called, on all stores that it has opened. */
import type { Store } from '../../src/store/store.ts'
import { anAuthor, type OpenStore } from '../support/store-builders.ts'

export class CalledMethods {
  readonly #names = new Set<string>()

  /** In order, those of an author's writes as `by().createCheck`. */
  get names(): readonly string[] {
    return [...this.#names].toSorted()
  }

  /** Opens the same stores, whose calls are noted. */
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

  /** @param of what returns `part` */
  #noted<Part extends object>(part: Part, of = ''): Part {
    return new Proxy(part, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return (...given: readonly unknown[]) => {
          this.#names.add(of + String(name))
          const result: unknown = Reflect.apply(member, target, given)
          return name === 'by' ? this.#noted(result as object, 'by().') : result
        }
      },
    })
  }
}

/** All that a store has, named and ordered as {@link CalledMethods.names}. */
export function methodsOf(store: Store): readonly string[] {
  const writes = Object.keys(store.by(anAuthor())).map((name) => `by().${name}`)
  return [...Object.keys(store), ...writes].toSorted()
}
