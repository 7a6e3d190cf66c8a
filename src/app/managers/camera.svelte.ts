import { type CodeReader, openCodeReader } from '../../../workers/code-reader.ts';
import { localStore } from '../services/local-store.ts';
import { PixelReader, readQrFromImage, readQrFromVideo } from '../services/qr-image.ts';
import { device } from './device.svelte.ts';

/**
 * `refused`: by the person or by the browser for this site. `absent`: there is none. `busy`: another program has it. `insecure`: the
 * browser gives no camera to a page that came over plain http. `gone`: it was there and went away, or failed for another reason.
 */
export type CameraState = 'starting' | 'live' | 'refused' | 'absent' | 'busy' | 'insecure' | 'gone';

/** Whether a light can be switched on is in no list of the language's yet. */
interface Light {
  readonly torch?: boolean;
}

/** Which camera was chosen last, on this device. */
const CHOSEN = 'nightjar.camera';

const WHY: Readonly<Record<string, CameraState>> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'absent',
  OverconstrainedError: 'absent',
  NotReadableError: 'busy',
  AbortError: 'busy',
};

/** A camera that looks for codes: one for each place that shows what it sees. Let go with {@link stop}. */
export class Camera {
  state: CameraState = $state('starting');
  /** All there are, once one was allowed. */
  cameras: readonly MediaDeviceInfo[] = $state.raw([]);
  /** The one at work. */
  chosen = $state('');
  /** It has a light. */
  hasLight = $state(false);
  light = $state(false);
  readonly #pixels = new PixelReader();
  #reader: Promise<CodeReader> | undefined;
  #stream: MediaStream | undefined;
  /** Counts starts: what belongs to an earlier one is let go. */
  #turn = 0;

  /** @param tell what each code says, the same one again as long as it is seen */
  constructor(readonly tell: (text: string) => void) {}

  /** Shows what the camera sees in a video, and reads it. */
  async start(video: HTMLVideoElement, wanted = localStore.get(CHOSEN)): Promise<void> {
    this.#leave();
    const turn = this.#turn;
    this.state = 'starting';
    try {
      const stream = await askFor(wanted);
      if (turn !== this.#turn) return end(stream);
      this.#stream = stream;
      const [track] = stream.getVideoTracks();
      track?.addEventListener('ended', () => turn === this.#turn && this.#fail('gone'));
      this.chosen = track?.getSettings().deviceId ?? '';
      this.hasLight = (track?.getCapabilities?.() as Light | undefined)?.torch === true;
      video.srcObject = stream;
      await video.play();
      this.cameras = (await navigator.mediaDevices.enumerateDevices()).filter(({ kind }) => kind === 'videoinput');
      if (turn !== this.#turn) return;
      this.state = 'live';
      void this.#look(video, turn);
    } catch (error) {
      if (turn === this.#turn) this.#fail(whyOf(error));
    }
  }

  /** Goes on with another camera, and remembers it. */
  async choose(video: HTMLVideoElement, deviceId: string): Promise<void> {
    localStore.set(CHOSEN, deviceId);
    await this.start(video, deviceId);
  }

  async switchLight(): Promise<void> {
    const torch = !this.light;
    const [track] = this.#stream?.getVideoTracks() ?? [];
    try {
      await track?.applyConstraints({ advanced: [{ torch } as MediaTrackConstraintSet] });
      this.light = torch;
    } catch {
      this.hasLight = false;
    }
  }

  /** Text of the code in a picture; undefined when there is none. */
  async read(file: Blob): Promise<string | undefined> {
    return readQrFromImage(await this.#open(), file);
  }

  /** The camera and the reader are let go. */
  stop(): void {
    this.#leave();
    void this.#reader?.then((reader) => reader.close());
    this.#reader = undefined;
  }

  /** One frame after the other, none of them kept waiting. */
  async #look(video: HTMLVideoElement, turn: number): Promise<void> {
    const reader = await this.#open();
    while (turn === this.#turn && this.state === 'live') {
      await nextFrame(video);
      const text = await readQrFromVideo(reader, this.#pixels, video);
      if (text !== undefined && text !== '' && turn === this.#turn) this.tell(text);
    }
  }

  #open(): Promise<CodeReader> {
    this.#reader ??= openCodeReader(device.offline);
    return this.#reader;
  }

  #fail(state: CameraState): void {
    this.#leave();
    this.state = state;
  }

  #leave(): void {
    this.#turn += 1;
    end(this.#stream);
    this.#stream = undefined;
    this.hasLight = false;
    this.light = false;
  }
}

function end(stream: MediaStream | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

/** Why there is no camera, where the browser was not even asked. */
class NoCamera extends Error {
  constructor(readonly state: CameraState) {
    super(`no camera: ${state}`);
  }
}

function whyOf(error: unknown): CameraState {
  if (error instanceof NoCamera) return error.state;
  return (error instanceof DOMException ? WHY[error.name] : undefined) ?? 'gone';
}

/** The camera of this id where it is still there, or the one that looks away from the person. */
async function askFor(deviceId: string | undefined): Promise<MediaStream> {
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (!window.isSecureContext) throw new NoCamera('insecure');
  if (!devices) throw new NoCamera('absent');
  const size = { width: { ideal: 1280 }, height: { ideal: 720 } };
  const video = {
    ...size,
    ...(deviceId === undefined ? { facingMode: { ideal: 'environment' } } : { deviceId: { ideal: deviceId } }),
  };
  return devices.getUserMedia({ video, audio: false });
}

/** Milliseconds after which a video that tells of no frame is looked at all the same. */
const STILL = 120;

/** When the video has another frame. */
function nextFrame(video: HTMLVideoElement): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, STILL);
    if (!('requestVideoFrameCallback' in video)) return;
    video.requestVideoFrameCallback(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
