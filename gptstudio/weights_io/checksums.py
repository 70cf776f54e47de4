"""The SHA-256 digests that the published weights are known by, so that no server has to be believed. No torch."""

WEIGHTS = {
    # huggingface.co/openai-community/gpt2 at 607a30d783df; so pinned in github.com/Diaugeia/ModernTSF
    # (src/tsflab/models/llm4ts/spec.py)
    "openai-community/gpt2": "248dfc3911869ec493c76e65bf2fcf7f615828b0254c12b473182f0f81d3a707",
    # huggingface.co/openai-community/gpt2-medium at 6dcaa7a952f7; so pinned in
    # github.com/ALLPROTO/core-lm-cross-model-lab (models.json)
    "openai-community/gpt2-medium": "fc5a354a19255ad494f3d71549390baca1ccf61d1d822b9408971705c687c9cd",
    # huggingface.co/openai-community/gpt2-large at 32b71b12589c; so pinned in github.com/SyedNaveedMahmood/kd-sink
    # (protocols/s1_artifact_partial_v1.json)
    "openai-community/gpt2-large": "5f47f3e12f91cd33b662ce7e433b6150ad5512b5884a2cee961b50e9c3bbebce",
    # huggingface.co/openai-community/gpt2-xl at 15ea56dee5df; so pinned in github.com/mikepfrank/GPT-2-tools
    # (src/gpt2_local/runtime.py)
    "openai-community/gpt2-xl": "0f8b28eb05a8075f48b61b6f35332978c74fc7763fa9fb4051a1c30511736a6a",
    # huggingface.co/distilbert/distilgpt2 at 2290a62682d0; so pinned in
    # github.com/ALLPROTO/core-lm-cross-model-lab (blind_v1/model-assets.draft.json)
    "distilbert/distilgpt2": "e1ff18884359fe8beb795a5f414feb85a6ce3d929ad019c0d958c039d2b94a1b",
}
"""SHA-256 of model.safetensors, by repository."""


def known(repository: str) -> str:
    """The digest of a repository's weights; empty where none is known."""
    return WEIGHTS.get(repository, "")
