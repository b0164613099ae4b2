/** A message above an outdated list, with a button that updates the list. The message floats, so that nothing moves. */

const pill = document.createElement('p')
pill.className = 'pill'
pill.id = 'pill'
pill.setAttribute('role', 'status')
const words = document.createElement('span')
const button = document.createElement('button')
button.type = 'button'
button.className = 'btn small'
pill.append(words, button)

export function showPill(text: string, action: string, act: () => void): void {
  words.textContent = text
  button.textContent = action
  button.onclick = act
  if (!pill.isConnected) document.getElementById('main')?.prepend(pill)
}

export function hidePill(): void {
  pill.remove()
}
