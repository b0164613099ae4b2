/**
 * Shifts the displayed night by whole hours when the reader drags the time axis. The script derives the URL from the hidden link to the
 * previous hour.
 */
const HOUR = 3_600_000

let began: number | null = null

const axisOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>('.night thead .pt') : null

document.addEventListener('pointerdown', ({ target, button, clientX }) => {
  began = button === 0 && axisOf(target) ? clientX : null
})
document.addEventListener('pointercancel', () => {
  began = null
})
document.addEventListener('pointerup', ({ clientX }) => {
  const axis = document.querySelector<HTMLElement>('.night thead .pt')
  const link = document.querySelector<HTMLAnchorElement>('[data-key="Shift+ArrowLeft"]')
  if (began === null || !axis || !link) return
  const width = axis.clientWidth / (axis.querySelectorAll('li').length - 1)
  const hours = Math.round((began - clientX) / width)
  began = null
  if (hours === 0) return
  const url = new URL(link.href)
  const from = Date.parse(url.searchParams.get('from') ?? '') + (hours + 1) * HOUR
  url.searchParams.set('from', `${new Date(from).toISOString().slice(0, 16)}Z`)
  location.assign(url)
})
