/**
 * Shows what a form would do while somebody changes it. A form, or a fieldset in one, has `data-preview`, a path with that of
 * SITE_ROOT, and `data-preview-into`, such as `#meaning, #mistakes`: elements with ids, the preview first. After a pause the
 * whole form is posted to the path. The answer is a fragment that has elements with the same ids, whose contents take their
 * places. The elements stay, so they may be live regions. A field that one of them describes is invalid while there is an error in it. A script that fills in a field dispatches `input` on it.
 */

const ASK_AFTER_MS = 150

async function showPreview(part: HTMLElement, signal: AbortSignal): Promise<void> {
  const form = part.closest('form')
  const { preview = '', previewInto = '' } = part.dataset
  const places = [...document.querySelectorAll(previewInto)]
  if (!form) return
  for (const place of places) place.setAttribute('aria-busy', 'true')
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)])
  try {
    const answer = await fetch(preview, { method: 'POST', body: new URLSearchParams(fields), signal })
    if (!answer.ok) throw new Error(`it answered ${answer.status}`)
    const fragment = new DOMParser().parseFromString(await answer.text(), 'text/html')
    for (const place of places) {
      place.replaceChildren(...(fragment.getElementById(place.id)?.childNodes ?? []))
      const isBad = place.querySelector('.err') !== null
      for (const field of document.querySelectorAll(`[aria-describedby="${place.id}"]`)) field.ariaInvalid = `${isBad}`
    }
  } catch (error) {
    if (signal.aborted) return
    const reason = error instanceof TypeError ? 'it cannot be reached' : (error as Error).message
    places[0]?.replaceChildren(`The server was asked what this means, but ${reason}. The next change asks again.`)
  }
  // After a newer question, that one is still under way.
  if (!signal.aborted) for (const place of places) place.removeAttribute('aria-busy')
}

for (const part of document.querySelectorAll<HTMLElement>('[data-preview]')) {
  let pause = 0
  let asking = new AbortController()
  part.addEventListener('input', () => {
    clearTimeout(pause)
    pause = window.setTimeout(() => {
      asking.abort()
      asking = new AbortController()
      void showPreview(part, asking.signal)
    }, ASK_AFTER_MS)
  })
}
