"""CUDA's own words in code, coloured: Doxygen knows C++ only."""
import re

FRAGMENT = re.compile(r'<div class="fragment">.*?</div><!-- fragment -->', re.DOTALL)
TAG = re.compile(r"(<[^>]*>)")
QUIET = ("comment", "stringliteral", "charliteral", "preprocessor")  # what Doxygen calls text that is no code
WORD = re.compile(
    r"\b__(?:global|device|host|shared|constant|managed|restrict|launch_bounds|cluster_dims|grid_constant|forceinline|noinline)__\b"
    r"|\b__(?:sync|shfl|ballot|any|all|match|activemask|reduce|ldg|ldc|ldca|ldcg|ldcs|ldcv|stcg|stcs|stwb|stwt|threadfence|popc|clz|ffs|brev|"
    r"fmaf|fadd|fmul|fdiv|frcp|fsqrt|exp|log|sin|cos|pow|cvta|half|float|int_as|pipeline|nanosleep|cluster|nv)\w*\b"
    r"|\b(?:threadIdx|blockIdx|blockDim|gridDim|warpSize|dim3|nvcuda|wmma|cooperative_groups|cub)\b"
    r"|\b(?:char|uchar|short|ushort|int|uint|float|double|long|half|nv_bfloat16)[1-4]\b|\b__half2?\b"
    r"|\bcuda[A-Z]\w*\b|\batomic[A-Z]\w*\b|\brsqrtf?\b"
    r"|&lt;&lt;&lt;|&gt;&gt;&gt;")


def fragment(html):
    """One block of code, with each of CUDA's words in a span."""
    out, quiet = [], 0  # spans that are open: how deep inside a quiet one
    for part in TAG.split(html):
        if part.startswith("<"):
            if quiet and part.startswith("<span"):
                quiet += 1
            elif quiet and part.startswith("</span"):
                quiet -= 1
            elif any(f'class="{name}"' in part for name in QUIET):
                quiet = 1
            out.append(part)
        else:
            out.append(part if quiet else WORD.sub(r'<span class="cuda">\g<0></span>', part))
    return "".join(out)


def coloured(html):
    """A page with the words of all its blocks of code coloured."""
    return FRAGMENT.sub(lambda match: fragment(match.group(0)), html)
