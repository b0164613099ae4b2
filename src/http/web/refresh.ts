/** Automatic reloading of pages with live content, for browsers without scripts. `?refresh=60` in the URL turns it on. */

const NAME = 'refresh'
const SECONDS = '60'

export interface Refresh {
  readonly isOn: boolean
  /** local path of the same page with the opposite setting */
  readonly other: string
}

/** @param address a page's local path, including its query */
export function readRefresh(address: string): Refresh {
  const { pathname, searchParams } = new URL(address, 'http://page')
  const isOn = searchParams.get(NAME) === SECONDS
  if (isOn) searchParams.delete(NAME)
  else searchParams.set(NAME, SECONDS)
  return { isOn, other: searchParams.size === 0 ? pathname : `${pathname}?${searchParams}` }
}

export function refreshHeader(refresh: Refresh | null): Readonly<Record<string, string>> {
  return refresh?.isOn ? { refresh: SECONDS } : {}
}
