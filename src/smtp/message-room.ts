/**
 * The memory that messages under way may take up: small ones always find room, since their connections are counted; large
 * ones have so many places, and who finds none is told to come again.
 */
import { ByteCollector } from './byte-collector.ts'
import { Rejection } from './rejection.ts'

export interface RoomLimits {
  /** bytes of the largest message that is taken */
  readonly messageBytes: number
  /** bytes up to which a message is a small one */
  readonly smallMessageBytes: number
  /** large messages at a time */
  readonly largeMessages: number
}

export class MessageRoom {
  readonly #limits: RoomLimits
  #places: number

  constructor(limits: RoomLimits) {
    this.#limits = limits
    this.#places = limits.largeMessages
  }

  /**
   * Reads a message to its end, also one that is not taken, and keeps its room until `use` is done with it.
   * @param mostBytes of this message, where that is less than of any
   * @throws Rejection for a message that is too large, has no place or breaks off; what `use` throws
   */
  async receive<Result>(
    pieces: AsyncIterable<Uint8Array>,
    mostBytes: number,
    use: (message: Uint8Array) => Promise<Result>,
  ): Promise<Result> {
    const message = new Incoming(this.#limits, Math.min(mostBytes, this.#limits.messageBytes), this)
    try {
      await message.read(pieces)
      return await use(message.end())
    } finally {
      message.leave()
    }
  }

  /** @returns false when all places are taken */
  takePlace(): boolean {
    if (this.#places === 0) return false
    this.#places -= 1
    return true
  }

  leavePlace(): void {
    this.#places += 1
  }
}

/** One message on its way in. */
class Incoming {
  readonly #limits: RoomLimits
  readonly #room: MessageRoom
  #collected: ByteCollector
  #hasPlace = false
  #rejection: Rejection | null = null

  constructor(limits: RoomLimits, mostBytes: number, room: MessageRoom) {
    this.#limits = limits
    this.#room = room
    this.#collected = new ByteCollector(mostBytes)
  }

  async read(pieces: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const piece of pieces) this.#add(piece)
    } catch (cause) {
      throw new Rejection(451, 'the message broke off', { cause })
    }
  }

  #add(piece: Uint8Array): void {
    if (this.#rejection) return
    const isSmall = this.#collected.length + piece.length <= this.#limits.smallMessageBytes
    if (!isSmall && !this.#hasPlace) this.#hasPlace = this.#room.takePlace()
    if (!isSmall && !this.#hasPlace)
      this.#reject(new Rejection(451, 'too many large messages at once, try again later'))
    else if (!this.#collected.add(piece)) this.#reject(new Rejection(552, 'the message is too large'))
  }

  /** @throws Rejection */
  end(): Uint8Array {
    if (this.#rejection) throw this.#rejection
    return this.#collected.bytes()
  }

  leave(): void {
    if (this.#hasPlace) this.#room.leavePlace()
    this.#hasPlace = false
  }

  #reject(rejection: Rejection): void {
    this.#rejection = rejection
    this.#collected = new ByteCollector(0)
    this.leave()
  }
}
