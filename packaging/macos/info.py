"""Values of Info.plist, for PyInstaller's BUNDLE in gptstudio.spec."""

from typing import Any

APP = "GPT Studio.app"
IDENTIFIER = "org.gptstudio.GPTStudio"
LESSON = f"{IDENTIFIER}.lesson"
FLOOR = "14.0"
"""Oldest macOS supported by PyTorch's wheels, which are only for Apple's processors."""

INFO: dict[str, Any] = {
    "CFBundleName": "GPT Studio",
    "CFBundleDisplayName": "GPT Studio",
    "CFBundleDevelopmentRegion": "en",
    "CFBundleLocalizations": ["en", "zh-Hans"],
    "LSApplicationCategoryType": "public.app-category.education",
    "LSMinimumSystemVersion": FLOOR,
    "LSArchitecturePriority": ["arm64"],
    "NSHighResolutionCapable": True,
    "NSHumanReadableCopyright": "MIT License, The GPT Studio authors",
    "NSRequiresAquaSystemAppearance": False,  # dark if the system is dark
    "CFBundleDocumentTypes": [{
        "CFBundleTypeName": "GPT Studio lesson",
        "CFBundleTypeRole": "Viewer",
        "LSHandlerRank": "Owner",
        "LSItemContentTypes": [LESSON],
    }],
    "UTExportedTypeDeclarations": [{
        "UTTypeIdentifier": LESSON,
        "UTTypeDescription": "GPT Studio lesson",
        "UTTypeConformsTo": ["public.utf8-plain-text"],
        "UTTypeTagSpecification": {"public.filename-extension": ["gptlesson"]},
    }],
}
